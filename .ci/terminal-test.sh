#!/bin/sh
# Tests the chat in a real terminal: types, reads the screen, quits in every way, and checks that the
# terminal is restored and no process is left. Needs tmux, go and ./nfa. Each step waits for a text,
# for at most a minute, and prints the screen if the text does not appear.
set -eu
nfa=${1:-$(pwd)/nfa} # or the absolute path of another
home=$(mktemp -d)
socket="nfa-test-$$"
passed=0
model=
tm() { tmux -L "$socket" "$@"; }
cleanup() {
	tm kill-server 2>/dev/null || true
	[ -z "$model" ] || kill "$model" 2>/dev/null || true
	rm -rf "$home"
}
trap cleanup EXIT
trap 'exit 1' HUP INT TERM

screen() { tm capture-pane -p -t chat; }
ok() { passed=$((passed + 1)); echo "ok: $1"; }
fail() {
	echo "FAIL: $1"
	screen || true
	exit 1
}

# within repeats a command until it succeeds, for at most $1 tenths of a second.
within() {
	left=$1
	shift
	until "$@"; do
		left=$((left - 1))
		[ "$left" -gt 0 ] || return 1
		sleep 0.1
	done
}

shows() { screen | grep -qF -- "$1"; }
lacks() { ! shows "$1"; }
words() { screen | grep -q 'word[0-9]'; } # an answer to "say N words"
expect() { within 600 shows "$1" || fail "the screen never showed: $1"; ok "${2:-$1}"; }
expect_gone() { within 600 lacks "$1" || fail "the screen still shows: $1"; ok "${2:-gone: $1}"; }
# quiet waits for a text before the next key, without counting it as a check.
quiet() { within 600 shows "$1" || fail "the screen never showed: $1"; }

keys() { tm send-keys -t chat "$@"; }
text() { tm send-keys -t chat -l "$1"; }
line() { text "$1"; keys Enter; }
size() { tm resize-window -t chat -x "$1" -y "$2"; }

# shell opens a window of the given columns and rows. The settings of its shell are in $home/rc, so that
# only the command lines of nfa contain the path of $home.
shell() {
	tm kill-session -t chat 2>/dev/null || true
	tm new-session -d -s chat -x "$1" -y "$2" -e ENV="$home/rc" sh
	quiet 'ready>'
}

# leave quits to the shell and compares the state of the terminal with the state before.
leave() {
	line '/quit'
	quiet 'ready>'
	as_before "$1"
}
restored() { [ "$(tm display -p -t chat '#{alternate_on}#{mouse_any_flag}#{cursor_flag}')" = 001 ]; }
as_before() {
	within 600 restored || fail "$1: the terminal was not restored"
	line "stty -g | cmp - $home/before && echo the-same=\$((40+2))"
	expect 'the-same=42' "$1"
	line clear
	within 600 lacks 'the-same=42' || fail "$1: the shell does not continue"
}

# Keeps the tmux server running between windows.
tm -f /dev/null new-session -d -s keeper cat
mkdir -p "$home/bin" "$home/work"
ln -s "$nfa" "$home/bin/nfa"
cat >"$home/rc" <<EOT
unset NFA_BASE_URL NFA_API_KEY NFA_MODEL NFA_OFFLINE NFA_PLAIN NO_COLOR ACCESSIBLE CI VISUAL
export HOME=$home NFA_HOME=$home/nfa NFA_DATA=sample NFA_KEY_STORE=file LC_ALL=C.UTF-8 EDITOR=$home/bin/editor
cd $home/work
PS1='ready> '
EOT
cat >"$home/bin/editor" <<'EOT'
#!/bin/sh
case $(cat "$1") in
*wait*)
	trap '' HUP
	echo editing
	while :; do sleep 0.2; done
	;;
*) printf 'from the editor\nwith a second line\n' >"$1" ;;
esac
EOT
chmod +x "$home/bin/editor"
i=0
while [ $i -lt 500 ]; do i=$((i + 1)); echo "row $i of five hundred"; done >"$home/work/rows.txt"
go build -o "$home/bin/modelserver" ./.ci/modelserver

# --- a newcomer, without a model -------------------------------------------------
shell 80 24
line "stty -g >$home/before; clear; $home/bin/nfa"
expect 'press ↓ to pick one' 'the first start opens on the start page'
line '/setup'
expect 'Setup · 1 of 3 · Model' '/setup opens the setup'
text 'gem'
expect '› Google Gemini' 'the setup filters'
keys Escape
quiet 'type to filter'
keys Escape
expect 'Setup canceled. Nothing was changed.' 'Esc cancels the setup'
expect_gone 'Setup · 1 of 3'
expect 'built-in assistant'
expect 'Connect a model'
line 'How has the S&P 500 done since 2008, and how bad did it get?'
expect 'volatility' 'a question is answered'
expect 'SAMPLE'
expect '4 figu' 'its figures are counted'
text '/get-p'
expect '/get-price' '/ completes'
keys Escape
expect_gone '/get-price' 'Esc closes the list'
keys C-u
line 'price of AAPL'
expect '137.44'
size 40 15
expect 'Apple Inc.' 'the answer folds at 40 columns'
size 80 24
quiet 'Ctrl+P search'
leave 'the terminal after /quit'

line "$home/bin/nfa --continue"
expect 'AAPL' 'a session continues'
keys C-c
quiet 'Press Ctrl+C again to quit'
for _ in $(seq 50); do # the second counts for two seconds
	keys C-c
	if within 10 shows 'Continue this'; then break; fi
done
quiet 'Continue this'
as_before 'the terminal after Ctrl+C twice'

# --- with a model ----------------------------------------------------------------
"$home/bin/modelserver" --rate 200 --url-file "$home/url" &
model=$!
within 600 test -s "$home/url" || fail 'the model server did not start'
echo "export NFA_BASE_URL=$(cat "$home/url") NFA_API_KEY=none NFA_MODEL=talker" >>"$home/rc"
shell 80 24
line "$home/bin/nfa"
quiet 'custom/talker'

tm load-buffer -b rows "$home/work/rows.txt"
tm paste-buffer -p -d -b rows -t chat
expect '[paste 1: 500 lines]' 'a paste of 500 lines is folded'
keys Enter
expect "You sent 500 lines, $(($(wc -c <"$home/work/rows.txt") - 1)) bytes" 'and sent whole'

line 'say 100000 words'
within 600 words || fail 'the answer does not come'
size 40 15
expect 'Esc stops' 'an answer comes on at 40x15'
size 200 50
within 600 words || fail 'the answer does not come on at 200x50'
ok 'and at 200x50'
size 80 24
quiet 'search   ? help'
text 'and then?'
keys Enter
expect 'queued  and then?' 'a message sent meanwhile is queued'
keys Escape
expect 'Stopped. The partial answer is kept.' 'Esc stops the answer'
expect '> and then?' 'and gives the waiting message back'
words || fail 'what came is not on the screen'
keys C-u

ask='call write_report {"path":"apple.md","content":"# Apple"}'
line "$ask"
expect 'Yes, once' 'write_report asks'
keys n
quiet 'reason:'
line 'too early'
expect 'user: too early' 'a reason goes to the model'
[ ! -e "$home/work/apple.md" ] || fail 'the report was written although refused'
line '/clear'
quiet 'New session.'
line "$ask"
quiet 'Yes, once'
# A yes within 0.4 s of the prompt is ignored with a message; each try waits longer.
for _ in $(seq 50); do
	keys y
	if within 6 lacks 'Yes, once'; then break; fi
done
expect '✓ Report     apple.md' 'a yes writes it'
[ -s "$home/work/apple.md" ] || fail 'there is no report'
keys C-u

# Tab selects a message, then r, e and f.
line '/clear'
quiet 'New session.'
line 'first question'
quiet 'bytes: first question'
line 'second question'
quiet 'bytes: second question'
keys Tab
expect 'c copy  e edit  r retry  f fork' 'Tab chooses a message'
keys r
quiet 'Forked.'
expect 'bytes: second question' 'r asks it again, in a copy'
keys Tab
quiet 'r retry'
keys e
expect '> second question' 'e returns the question for editing'
expect_gone 'bytes: second question' 'in a copy without it'
keys C-u
line 'third question'
quiet 'bytes: third question'
keys Tab
quiet 'r retry'
keys Up
keys Up
keys f
expect_gone 'third question' 'f forks from an earlier one'
quiet 'bytes: first question'

keys C-f
quiet 'find:'
text 'first'
expect '2 of 2' 'Ctrl+F finds'
keys Enter
expect '1 of 2' 'and Enter goes up'
keys Escape
expect_gone 'find:' 'Esc ends the search'
keys C-r
quiet 'search:'
text 'second'
expect '›second question' 'Ctrl+R finds an earlier message'
keys Enter
expect '> second question' 'Enter takes it'
keys C-u
text 'what is in @ro'
expect '›rows.txt' '@ offers files'
keys Tab
expect '@rows.txt' 'Tab completes the name'
keys Enter
expect '(attached: rows.txt)' 'the file is attached'
keys C-g
expect 'with a second line' 'Ctrl+G returns the text of the editor'
keys Enter
expect 'You sent 2 lines' 'and it is sent as two lines'

line '/chart ^GSPC max drawdown'
expect '^GSPC drawdown, daily closes, %' '/chart draws'
expect '-15.11%' 'with its last value'
line 'call price_history {"symbol":"^GSPC","from":"2019-01-01"}'
quiet 'The tool said: {"symbol"'
keys Tab
quiet 'r retry'
keys Up
keys Enter
expect '│ ^GSPC daily bars, index points' 'Enter opens a card, with its chart'
keys Escape
expect '? help' 'Esc returns to the composer'
keys '?'
expect 'More: type to search' '? opens the help'
keys Escape
quiet '? help'
leave 'the terminal after all that'

# --- terminals -------------------------------------------------------------------
colored() { tm capture-pane -e -p -t chat | grep -qE '.\[([0-9;]*;)?(3[0-8]|9[0-7])[;m]'; }
colorless() { ! colored; }
for term in screen-256color tmux-256color xterm; do
	line "TERM=$term $home/bin/nfa --continue"
	quiet 'custom/talker'
	within 600 colored || fail "no colors with TERM=$term"
	keys C-d
	quiet 'Continue this'
	as_before "TERM=$term"
done
line "env NO_COLOR=1 $home/bin/nfa --continue"
quiet 'custom/talker'
within 600 colorless || fail 'colors with NO_COLOR=1'
keys C-d
quiet 'Continue this'
as_before 'NO_COLOR=1 has no colors'
line "env TERM=dumb $home/bin/nfa --continue"
quiet 'Assistant:'
keys C-d
quiet 'Continue this'
as_before 'TERM=dumb is plain'
for columns_rows in '40 15' '200 50'; do
	# shellcheck disable=SC2086
	shell $columns_rows
	line "$home/bin/nfa --continue"
	quiet '? help'
	keys C-d
	quiet 'Continue this'
done

# A terminal that answers no query: with script, the other end is a file.
if command -v script >/dev/null 2>&1 && script --version 2>/dev/null | grep -q util-linux; then
	mkfifo "$home/typed"
	(ENV=$home/rc TERM=xterm-256color script -qefc "sh -c '. $home/rc; stty rows 24 cols 80; exec $home/bin/nfa'" /dev/null <"$home/typed" >"$home/mute" 2>&1; echo "left with $?" >"$home/left") &
	exec 3>"$home/typed"
	said() { grep -qaF -- "$1" "$home/mute"; }
	within 600 said 'custom/talker' || { cat "$home/mute"; fail 'nothing appeared in a terminal that answers no query'; }
	ok 'first frame in a terminal that answers no query'
	printf '/quit\r' >&3
	within 600 grep -qs 'left with 0' "$home/left" || { cat "$home/mute"; fail 'cannot quit in a terminal that answers no query'; }
	ok 'quit in a terminal that answers no query'
	exec 3>&-
else
	echo "skipped: a terminal that answers no query (needs script of util-linux)"
fi

# --- the window is closed --------------------------------------------------------
running() { pgrep -f -- "$home/bin/(nfa|editor)" >/dev/null; }
ended() { ! running; }
closed() {
	running || fail "$1: nothing runs"
	tm kill-pane -t chat
	within 600 ended || { pgrep -af -- "$home/bin"; fail "$1: still running after a minute"; }
	ok "$1"
}
! running || { pgrep -af -- "$home/bin"; fail 'a process was left running'; }
shell 80 24
line "$home/bin/nfa"
quiet 'custom/talker'
closed 'closing the window ends nfa'
shell 80 24
line "$home/bin/nfa"
quiet 'custom/talker'
line 'say 100000 words'
within 600 words || fail 'the answer does not come'
closed 'also during an answer'
shell 80 24
line "$home/bin/nfa --continue"
within 600 words || fail 'the partial answer was not kept'
ok 'the partial answer was kept'
text 'wait'
keys C-g
quiet 'editing'
pgrep -f -- "$home/bin/editor" >/dev/null || fail 'the editor is not running'
closed 'also with an editor that ignores SIGHUP'
echo "$passed passed, 0 failed"
