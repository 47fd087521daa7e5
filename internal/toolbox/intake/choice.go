package intake

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/portfolio/broker"
	"github.com/nfa-cli/nfa/internal/portfolio/broker/mapped"
	"github.com/nfa-cli/nfa/internal/portfolio/broker/native"
	"github.com/nfa-cli/nfa/internal/portfolio/broker/sheet"
)

// choice is how a file is read.
type choice struct {
	format broker.Format
	save   *mapped.Mapping // once it has been used
	// ownAccounts: the file says which accounts its lines are of.
	ownAccounts bool
}

// choose takes the format or mapping that the call names, or the one format that
// recognizes the file. Where none does, the error proposes a mapping.
func (d Deps) choose(ctx context.Context, in importInput, f sheet.File, o broker.Options) (choice, error) {
	named := 0
	for _, given := range []bool{in.Format != "", in.Mapping != "", in.NewMapping != nil} {
		if given {
			named++
		}
	}
	switch {
	case named > 1:
		return choice{}, fmt.Errorf("%w: give one of format, mapping and new_mapping", errImport)
	case in.NewMapping != nil:
		return d.byMapping(*in.NewMapping, f, o, true)
	case in.Mapping != "":
		m, err := d.savedMapping(ctx, strings.TrimSpace(in.Mapping))
		if err != nil {
			return choice{}, err
		}
		return d.byMapping(m, f, o, false)
	}
	var format broker.Format
	var err error
	if in.Format != "" {
		if format, err = broker.Named(Formats(), in.Format); err != nil {
			return choice{}, fmt.Errorf("%w: %w", errImport, err)
		}
	} else if format, err = broker.Detect(Formats(), f); err != nil {
		return choice{}, d.proposal(ctx, f, o, fmt.Errorf("%w: %w", errImport, err))
	}
	return choice{format: format, ownAccounts: format.Name == native.Format().Name}, nil
}

func (d Deps) byMapping(m mapped.Mapping, f sheet.File, o broker.Options, save bool) (choice, error) {
	if slices.ContainsFunc(Formats(), func(known broker.Format) bool { return strings.EqualFold(known.Name, m.Name) }) {
		return choice{}, fmt.Errorf("%w: %s is the name of a format; give the mapping another one", errImport, m.Name)
	}
	if err := m.Validate(); err != nil {
		return choice{}, d.Veil(fmt.Errorf("%w: the mapping %.60q: %w\n%s", errImport, m.Name, err, d.sample(f)))
	}
	c := choice{format: mapped.Format(m), ownAccounts: m.Columns.Account != "" || m.Fixed.Account != ""}
	if save {
		c.save = &m
	}
	return c, nil
}

func (d Deps) savedMapping(ctx context.Context, name string) (mapped.Mapping, error) {
	var m mapped.Mapping
	if d.Mappings == nil {
		return m, fmt.Errorf("%w: mappings are not kept here; give it with new_mapping", errImport)
	}
	doc, ok, err := d.Mappings.Mapping(ctx, name)
	if err != nil {
		return m, fmt.Errorf("mapping %.60q: %w", name, err)
	}
	if !ok {
		return m, fmt.Errorf("%w: no mapping %.60q; %s", errImport, name, d.savedNames(ctx))
	}
	if err := json.Unmarshal(doc, &m); err != nil {
		return m, fmt.Errorf("%w: the mapping %.60q that is kept cannot be read: %w; give it anew with new_mapping", errImport, name, err)
	}
	return m, nil
}

func (d Deps) savedNames(ctx context.Context) string {
	if d.Mappings == nil {
		return "none is saved"
	}
	names, err := d.Mappings.Mappings(ctx)
	if err != nil || len(names) == 0 {
		return "none is saved"
	}
	return fmt.Sprintf("saved are %q", names)
}
