#!/bin/sh
# Types into the chat in a real terminal, as a person would, reads the screen,
# quits, and looks whether the terminal is as it was. Needs tmux and ./nfa.
set -eu
nfa=$(pwd)/nfa
home=$(mktemp -d)
socket="nfa-test-$$"
tm() { tmux -L "$socket" "$@"; }
cleanup() { tm kill-server 2>/dev/null || true; rm -rf "$home"; }
trap cleanup EXIT

screen() { tm capture-pane -p -t chat; }

# expect waits until the screen shows a text, at most ten seconds.
expect() {
	i=0
	until screen | grep -qF -- "$1"; do
		i=$((i + 1))
		if [ "$i" -gt 100 ]; then
			echo "FAIL: the screen never showed: $1"
			screen
			exit 1
		fi
		sleep 0.1
	done
	echo "ok: $1"
}

type_line() { tm send-keys -t chat -l "$1"; tm send-keys -t chat Enter; }

tm -f /dev/null new-session -d -s chat -x 80 -y 24 "env -u NFA_BASE_URL NFA_HOME=$home/nfa PS1='ready> ' sh"
expect 'ready>'
tm send-keys -t chat "stty -g >$home/before; $nfa" Enter
expect 'offline assistant'
expect 'NFA_BASE_URL'

type_line 'How has the S&P 500 done since 2008, and how bad did it get?'
expect 'volatility'
expect 'SAMPLE'
expect 'traced'

tm send-keys -t chat -l '/get-p'
expect '/get-price'
tm send-keys -t chat Escape
tm send-keys -t chat C-u
type_line '/get-price AAPL'
expect 'AAPL'

tm resize-window -t chat -x 40 -y 15
expect 'AAPL'
tm resize-window -t chat -x 80 -y 24

tm send-keys -t chat C-u
type_line '/quit'
expect 'nfa --resume'
tm send-keys -t chat "stty -g >$home/after; cmp $home/before $home/after && echo terminal=\$((40+2))" Enter
expect 'terminal=42'

tm send-keys -t chat "clear; $nfa --continue" Enter
expect 'AAPL'
tm send-keys -t chat C-c
tm send-keys -t chat C-c
expect 'ready>'
echo "1 passed, 0 failed"
