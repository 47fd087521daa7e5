package optimize

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// HierarchicalRiskParity returns weights without inverting the covariance, which may be singular. Assets
// are joined into a tree by single linkage of the distance sqrt((1 - correlation)/2). The ordered leaves
// are repeatedly split into halves that divide the weight by
//
//	a = 1 - va/(va + vb)
//
// where va and vb are the variances of the halves with inverse-variance weights. It also returns
// the order. All weights are positive. Source: M. Lopez de Prado, "Building Diversified Portfolios
// that Outperform Out of Sample", 2016; linkage uses the distances themselves, as in
// PyPortfolioOpt's HRPOpt.
func HierarchicalRiskParity(covariance mat.Symmetric) (weights []float64, order []int, err error) {
	n := covariance.SymmetricDim()
	for i := range n {
		if v := covariance.At(i, i); !(v > 0) || math.IsInf(v, 0) {
			return nil, nil, fmt.Errorf("%w: variance %v of asset %d", ErrMalformed, v, i)
		}
	}
	order = leafOrder(correlationDistances(covariance))
	weights = make([]float64, n)
	for i := range weights {
		weights[i] = 1
	}
	bisectWeights(covariance, order, weights)
	return weights, order, nil
}

// bisectWeights divides the weight of a run of assets among them.
func bisectWeights(covariance mat.Symmetric, run []int, weights []float64) {
	if len(run) < 2 {
		return
	}
	left, right := run[:len(run)/2], run[len(run)/2:]
	va, vb := clusterVariance(covariance, left), clusterVariance(covariance, right)
	part := 1 - va/(va+vb)
	for _, i := range left {
		weights[i] *= part
	}
	for _, i := range right {
		weights[i] *= 1 - part
	}
	bisectWeights(covariance, left, weights)
	bisectWeights(covariance, right, weights)
}

// clusterVariance returns the variance of a run of assets weighted by inverse variance.
func clusterVariance(covariance mat.Symmetric, run []int) float64 {
	total := 0.0
	for _, i := range run {
		total += 1 / covariance.At(i, i)
	}
	variance := 0.0
	for _, i := range run {
		for _, j := range run {
			variance += covariance.At(i, j) / covariance.At(i, i) / covariance.At(j, j)
		}
	}
	return variance / total / total
}

func correlationDistances(covariance mat.Symmetric) [][]float64 {
	n := covariance.SymmetricDim()
	out := make([][]float64, n)
	for i := range out {
		out[i] = make([]float64, n)
		for j := range n {
			r := covariance.At(i, j) / math.Sqrt(covariance.At(i, i)) / math.Sqrt(covariance.At(j, j))
			if i != j {
				out[i][j] = math.Sqrt(max(0, min(1, (1-r)/2)))
			}
		}
	}
	return out
}

// edge joins two assets in the minimum spanning tree.
type edge struct {
	a, b   int
	length float64
}

// minimumSpanningTree returns the edges of the minimum spanning tree by Prim's method, shortest first. This
// is the order in which single linkage joins clusters.
func minimumSpanningTree(distance [][]float64) []edge {
	n := len(distance)
	near, from, in := make([]float64, n), make([]int, n), make([]bool, n)
	for i := range near {
		near[i] = math.Inf(1)
	}
	out := make([]edge, 0, n)
	for at := 0; len(out) < n-1; {
		in[at] = true
		next := -1
		for j := range n {
			if in[j] {
				continue
			}
			if d := distance[at][j]; d < near[j] {
				near[j], from[j] = d, at
			}
			if next < 0 || near[j] < near[next] {
				next = j
			}
		}
		out = append(out, edge{from[next], next, near[next]})
		at = next
	}
	slices.SortStableFunc(out, func(a, b edge) int { return cmp.Compare(a.length, b.length) })
	return out
}

// leafOrder returns the order of the assets in the single-linkage tree. Of two clusters the one formed
// earlier comes first. Assets come before all clusters, in order of their number.
func leafOrder(distance [][]float64) []int {
	n := len(distance)
	cluster, formed := make([]int, n), make([]int, n)
	members := make([][]int, n)
	for i := range n {
		cluster[i], formed[i], members[i] = i, i, []int{i}
	}
	for k, e := range minimumSpanningTree(distance) {
		a, b := cluster[e.a], cluster[e.b]
		if formed[b] < formed[a] {
			a, b = b, a
		}
		for _, i := range members[b] {
			cluster[i] = a
		}
		members[a], members[b] = append(members[a], members[b]...), nil
		formed[a] = n + k
	}
	return members[cluster[0]]
}
