package install

import (
	"archive/zip"
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
	"github.com/nfa-cli/nfa/internal/skill"
)

// ErrNoGit means that a repository can be read only with git, which is not installed.
var ErrNoGit = errors.New("git is not installed")

const (
	fetchTimeout = 5 * time.Minute
	// maxRepository limits the archive of a host, in bytes.
	maxRepository = 64 << 20
	// maxCheckout limits the files that git writes, in bytes.
	maxCheckout = 512 << 20
	// maxCheckoutPath is shorter than the longest path of every system.
	maxCheckoutPath = 1024
)

// Repository is a git repository at a branch, tag or commit.
type Repository struct {
	URL string // for git, and for people
	Ref string // empty means the default branch
}

var (
	shortRepository = lazyregexp.New(`^([A-Za-z0-9][\w.-]*)/([A-Za-z0-9][\w.-]*?)(?:\.git)?$`)
	scpRepository   = lazyregexp.New(`^[\w.-]+@[\w.-]+:[^:]+$`)
	commitID        = lazyregexp.New(`^[0-9a-f]{7,64}$`)
)

// ParseRepository reads OWNER/REPO on github.com, the URL of a repository, or the path of a local one;
// each may end in @REF. A page of github.com below /tree/ names the branch.
func ParseRepository(written string) (Repository, error) {
	address, ref := written, ""
	if i := strings.LastIndex(written, "@"); i > strings.LastIndex(written, "/") && i > strings.LastIndex(written, ":") && i > 0 {
		address, ref = written[:i], written[i+1:]
	}
	if strings.HasPrefix(address, "-") || strings.HasPrefix(ref, "-") || strings.ContainsAny(written, "\n\x00") {
		return Repository{}, fmt.Errorf("%q is not a repository", written)
	}
	if info, err := os.Stat(address); err == nil && info.IsDir() {
		full, err := filepath.Abs(address)
		return Repository{URL: "file://" + filepath.ToSlash(full), Ref: ref}, err
	}
	if m := shortRepository().FindStringSubmatch(address); m != nil {
		return Repository{URL: "https://github.com/" + m[1] + "/" + m[2], Ref: ref}, nil
	}
	if scpRepository().MatchString(address) {
		return Repository{URL: address, Ref: ref}, nil
	}
	parsed, err := url.Parse(address)
	switch {
	case err != nil, parsed.Scheme != "https" && parsed.Scheme != "ssh" && parsed.Scheme != "file", parsed.Path == "":
		return Repository{}, fmt.Errorf("%q is not a repository: use OWNER/REPO, an https, ssh or file URL, or a local path", written)
	case parsed.Scheme == "https" && parsed.User != nil:
		return Repository{}, errors.New("the lock file would store the password in this URL; use a git credential helper or SSH")
	}
	if parts := strings.Split(strings.Trim(parsed.Path, "/"), "/"); parsed.Host == "github.com" && len(parts) > 3 && parts[2] == "tree" {
		return Repository{URL: "https://github.com/" + parts[0] + "/" + parts[1], Ref: parts[3]}, nil
	}
	return Repository{URL: strings.TrimSuffix(address, "/"), Ref: ref}, nil
}

// Fetcher reads repositories: with git if it is installed, otherwise from the host's zip archive.
type Fetcher struct {
	Git string // path of git; empty looks for it, "none" does not use it
	Get func(ctx context.Context, url string) ([]byte, error)
}

// checkout is a repository at one commit.
type checkout struct {
	commit  string
	bundles []bundle
	paths   []string // of the bundles in the repository
}

func (f Fetcher) git() (string, error) {
	switch f.Git {
	case "none":
		return "", ErrNoGit
	case "":
		found, err := exec.LookPath("git")
		if err != nil {
			return "", ErrNoGit
		}
		return found, nil
	}
	return f.Git, nil
}

// fetch reads the skills of a repository.
func (f Fetcher) fetch(ctx context.Context, r Repository) (checkout, error) {
	ctx, cancel := context.WithTimeout(ctx, fetchTimeout)
	defer cancel()
	git, err := f.git()
	if err != nil {
		return f.fetchZip(ctx, r)
	}
	dir, err := os.MkdirTemp("", "nfa-skills-*")
	if err != nil {
		return checkout{}, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	clone := []string{"clone", "--quiet", "--no-recurse-submodules", "--no-checkout"}
	if !commitID().MatchString(r.Ref) {
		clone = append(clone, "--depth", "1", "--single-branch")
		if r.Ref != "" {
			clone = append(clone, "--branch", r.Ref)
		}
	}
	if _, err := runGit(ctx, git, "", append(clone, "--", r.URL, dir)...); err != nil {
		return checkout{}, err
	}
	ref := "HEAD"
	if commitID().MatchString(r.Ref) {
		ref = r.Ref
	}
	if err := checkTree(ctx, git, dir, ref); err != nil {
		return checkout{}, err
	}
	if _, err := runGit(ctx, git, dir, "checkout", "--quiet", "--detach", ref); err != nil {
		return checkout{}, err
	}
	commit, err := runGit(ctx, git, dir, "rev-parse", "HEAD")
	if err != nil {
		return checkout{}, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return checkout{}, err
	}
	defer func() { _ = root.Close() }()
	paths, err := findSkills(root.FS())
	if err != nil {
		return checkout{}, err
	}
	bundles, err := collectAll(root.FS())
	if err != nil {
		return checkout{}, err
	}
	for i := range bundles {
		if paths[i] == "." {
			bundles[i].folder = repositoryName(r.URL)
		}
	}
	return checkout{commit: commit, bundles: bundles, paths: paths}, nil
}

// newestCommit returns the commit that a repository has at its ref now.
func (f Fetcher) newestCommit(ctx context.Context, r Repository) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, fetchTimeout)
	defer cancel()
	if commitID().MatchString(r.Ref) {
		return r.Ref, nil
	}
	git, err := f.git()
	if err != nil {
		c, err := f.fetchZip(ctx, r)
		return c.commit, err
	}
	ref := r.Ref
	if ref == "" {
		ref = "HEAD"
	}
	out, err := runGit(ctx, git, "", "ls-remote", "--", r.URL, ref, ref+"^{}")
	if err != nil {
		return "", err
	}
	commits := map[string]string{}
	for line := range strings.Lines(out) {
		commit, name, _ := strings.Cut(strings.TrimSpace(line), "\t")
		commits[name] = commit
	}
	// An annotated tag has its own object ID; ^{} is the commit that it points to.
	for _, name := range []string{"HEAD", "refs/heads/" + ref, "refs/tags/" + ref + "^{}", "refs/tags/" + ref} {
		if commit := commits[name]; commit != "" && (name != "HEAD" || ref == "HEAD") {
			return commit, nil
		}
	}
	return "", fmt.Errorf("%s has no branch or tag %s", r.URL, ref)
}

// checkTree returns an error if a checkout of ref would be too large. A repository of some kilobytes can
// hold a tree of any size, because equal folders are stored once.
func checkTree(ctx context.Context, git, dir, ref string) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	cmd := gitCommand(ctx, git, dir, "ls-tree", "-r", "-t", "-l", "-z", "--end-of-options", ref)
	listing, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	defer func() {
		cancel()
		_ = cmd.Wait() // the checkout reports what git cannot read
	}()
	var entries, size int64
	for in := bufio.NewReaderSize(listing, 2*maxCheckoutPath); ; {
		line, err := in.ReadSlice(0)
		if errors.Is(err, io.EOF) {
			return nil
		}
		about, name, _ := strings.Cut(string(line), "\t") // mode, kind, object and size
		if fields := strings.Fields(about); len(fields) == 4 && fields[1] == "blob" {
			bytes, _ := strconv.ParseInt(fields[3], 10, 64)
			size += bytes
		}
		switch entries++; {
		case err != nil || len(name) > maxCheckoutPath:
			return fmt.Errorf("%w: a path is longer than %d bytes", skill.ErrSizeLimit, maxCheckoutPath)
		case entries > maxSearched:
			return fmt.Errorf("%w: more than %d files in the repository", skill.ErrSizeLimit, maxSearched)
		case size > maxCheckout:
			return fmt.Errorf("%w: the files in the repository are larger than %d MB", skill.ErrSizeLimit, maxCheckout>>20)
		}
	}
}

// gitCommand returns a command of git without hooks, prompts and submodules.
func gitCommand(ctx context.Context, git, dir string, args ...string) *exec.Cmd {
	safe := []string{"-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "-c", "protocol.ext.allow=never", "-c", "protocol.file.allow=always", "-c", "advice.detachedHead=false"}
	cmd := exec.CommandContext(ctx, git, append(safe, args...)...)
	cmd.Dir = dir
	cmd.Env = append(gitEnvironment(), "GIT_TERMINAL_PROMPT=0", "GIT_LFS_SKIP_SMUDGE=1", "GIT_SSH_COMMAND=ssh -o BatchMode=yes")
	cmd.WaitDelay = time.Second
	return cmd
}

// runGit returns what git prints.
func runGit(ctx context.Context, git, dir string, args ...string) (string, error) {
	cmd := gitCommand(ctx, git, dir, args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		lines := strings.Split(strings.TrimSpace(stderr.String()), "\n")
		return "", fmt.Errorf("git %s: %s", args[0], strings.TrimPrefix(lines[len(lines)-1], "fatal: "))
	}
	return strings.TrimSpace(string(out)), nil
}

// gitEnvironment returns the environment variables that git needs, without keys.
func gitEnvironment() []string {
	var env []string
	for _, name := range []string{"PATH", "HOME", "USER", "USERPROFILE", "APPDATA", "SYSTEMROOT", "TMPDIR", "TEMP", "LANG", "SSH_AUTH_SOCK", "XDG_CONFIG_HOME", "http_proxy", "https_proxy", "HTTPS_PROXY", "no_proxy", "SSL_CERT_FILE"} {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return env
}

func repositoryName(address string) string {
	return strings.TrimSuffix(path.Base(strings.ReplaceAll(address, ":", "/")), ".git")
}

// fetchZip reads the archive that the host of a repository makes.
func (f Fetcher) fetchZip(ctx context.Context, r Repository) (checkout, error) {
	address, err := archiveURL(r)
	if err != nil {
		return checkout{}, err
	}
	get := f.Get
	if get == nil {
		get = download
	}
	packed, err := get(ctx, address)
	if err != nil {
		return checkout{}, err
	}
	zr, err := zip.NewReader(bytes.NewReader(packed), int64(len(packed)))
	if err != nil {
		return checkout{}, fmt.Errorf("%w: %w", ErrArchive, err)
	}
	// Hosts write the commit into the comment of the archive.
	commit := strings.TrimSpace(zr.Comment)
	if !commitID().MatchString(commit) {
		if commit = r.Ref; !commitID().MatchString(commit) {
			return checkout{}, fmt.Errorf("the archive of %s does not name its commit; install git", r.URL)
		}
	}
	bundles, err := unpackRepository(zr, repositoryName(r.URL))
	if err != nil {
		return checkout{}, err
	}
	c := checkout{commit: commit, bundles: bundles}
	for _, b := range bundles {
		c.paths = append(c.paths, b.folder)
	}
	return c, nil
}

func archiveURL(r Repository) (string, error) {
	parsed, err := url.Parse(r.URL)
	if err != nil || parsed.Scheme != "https" {
		return "", fmt.Errorf("%w, and %s offers no archive", ErrNoGit, r.URL)
	}
	ref := r.Ref
	if ref == "" {
		ref = "HEAD"
	}
	name := strings.TrimSuffix(strings.Trim(parsed.Path, "/"), ".git")
	switch parsed.Host {
	case "github.com":
		return "https://codeload.github.com/" + name + "/zip/" + url.PathEscape(ref), nil
	case "gitlab.com":
		return "https://gitlab.com/" + name + "/-/archive/" + url.PathEscape(ref) + "/" + path.Base(name) + ".zip", nil
	}
	return parsed.Scheme + "://" + parsed.Host + "/" + name + "/archive/" + url.PathEscape(ref) + ".zip", nil
}

func download(ctx context.Context, address string) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s answered %s", address, response.Status)
	}
	packed, err := io.ReadAll(io.LimitReader(response.Body, maxRepository+1))
	if err == nil && len(packed) > maxRepository {
		err = fmt.Errorf("the archive of the repository is larger than %d MB; install git", maxRepository>>20)
	}
	return packed, err
}

// unpackRepository reads the skills of a host's archive. Entries outside the skills are not read, and
// may be links.
func unpackRepository(zr *zip.Reader, name string) ([]bundle, error) {
	var files []string
	for _, f := range zr.File {
		if f.Mode().IsRegular() {
			files = append(files, f.Name)
		}
	}
	folders := skillFolders(files)
	u := unpacker{byFolder: map[string]*bundle{}, paths: newPathSet(), budget: newSizeBudget(), folders: folders}
	for _, f := range zr.File {
		if folderOf(folders, strings.TrimSuffix(f.Name, "/")) == "" {
			continue
		}
		clean, err := u.checkEntry(f)
		if err == nil {
			err = u.addEntry(archiveEntry{f, clean})
		}
		if err != nil {
			return nil, fmt.Errorf("%w: entry %q: %w", ErrArchive, f.Name, err)
		}
	}
	if len(u.byFolder) == 0 {
		return nil, fmt.Errorf("%s: no SKILL.md found", name)
	}
	bundles, err := u.skills()
	for i := range bundles {
		if bundles[i].folder == "." {
			bundles[i].folder = name
		}
	}
	return bundles, err
}
