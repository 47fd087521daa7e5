package app

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/markdown"
)

// Ask asks the unanswered questions, or all of them, and reads each answer as one line from in. It repeats a
// question until the answer is valid. An empty line skips it. Typing q stops, as does the end of in or ctx;
// the answers so far are saved. Only a failed save is an error. A goroutine reads in until it ends.
func (q ProfileEditor) Ask(ctx context.Context, in io.Reader, all bool) error {
	p, _, err := q.Store.Profile(ctx)
	if err != nil {
		return err
	}
	interview := investor.NewInterview(q.Now())
	questions := interview.Missing(p)
	if all {
		questions = interview.Questions()
	}
	lines := readLines(in)
	answers := map[string]string{}
	for i, question := range questions {
		q.printQuestion(question, i+1, len(questions))
		answer, more := q.readAnswer(ctx, interview, &p, question, lines)
		if answer != "" {
			answers[question.ID] = answer
		}
		if !more {
			break
		}
	}
	fmt.Fprintln(q.Out)
	switch {
	case len(answers) > 0:
		// Save the answers even after Ctrl+C.
		ctx := context.WithoutCancel(ctx)
		if p, err = q.withAnswers(ctx, answers); err != nil {
			return err
		}
		return q.save(ctx, p)
	case len(questions) == 0:
		fmt.Fprintln(q.Out, "all questions are answered; to change answers: nfa profile ask --all")
	default:
		fmt.Fprintln(q.Out, "Nothing was changed.")
	}
	return nil
}

// printQuestion prints a question, its reason and the allowed answers.
func (q ProfileEditor) printQuestion(question investor.Question, number, of int) {
	fmt.Fprintf(q.Out, "\n%d of %d. %s\n   (%s)\n", number, of, question.Text, question.Why)
	for _, c := range question.Choices {
		fmt.Fprintf(q.Out, "   %s: %s\n", c.Value, c.Text)
	}
	if question.Example != "" {
		fmt.Fprintf(q.Out, "   for example: %s\n", question.Example)
	}
}

// readLines reads lines in a goroutine, because reading a terminal cannot be interrupted. The
// goroutine ends with the program.
func readLines(in io.Reader) <-chan string {
	lines := make(chan string)
	go func() {
		defer close(lines)
		for s := bufio.NewScanner(in); s.Scan(); {
			lines <- s.Text()
		}
	}()
	return lines
}

// readAnswer reads lines until an answer is valid, a line is empty, or the input ends. It returns
// "" for no answer.
func (q ProfileEditor) readAnswer(ctx context.Context, interview investor.Interview, p *investor.Profile, question investor.Question, lines <-chan string) (answer string, more bool) {
	for {
		fmt.Fprint(q.Out, "> ")
		answer = "q"
		select {
		case <-ctx.Done():
		case line, open := <-lines:
			if open {
				answer = strings.TrimSpace(line)
			}
		}
		switch answer {
		case "":
			return "", true
		case "q", "quit":
			return "", false
		}
		err := interview.Set(p, question.ID, answer)
		if err == nil {
			return answer, true
		}
		fmt.Fprintf(q.Out, "   %s\n", markdown.SanitizeLine(err.Error()))
	}
}
