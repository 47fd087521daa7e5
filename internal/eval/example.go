package eval

// Example is a small evals.yaml to start from. It is of the skill get-price.
const Example = `prompts:
  select:
    - What does Apple cost?
  avoid:
    - How volatile has Apple been?
cases:
  - arguments: AAPL
    calls: # what has to be called, in this order
      - {tool: quote, arguments: {symbols: [AAPL]}}
    turns: # what the model answers; the tools are real
      - calls:
          - {tool: quote, arguments: {symbols: [AAPL]}}
      - text: Apple Inc. stood at 137.44 USD on 2022-06-28 (SAMPLE).
    expect: {errors: 0, contains: ["137.44"]}
`
