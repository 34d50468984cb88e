/** Models the generated sessions speak to; prices in USD for a million tokens. */
export interface Model {
  api: string;
  provider: string;
  id: string;
  price: { input: number; output: number; cacheRead: number; cacheWrite: number };
}

export const MODELS: readonly [Model, ...Model[]] = [
  model('anthropic-messages', 'anthropic', 'claude-sonnet-4-5', 3, 15, 0.3, 3.75),
  model('anthropic-messages', 'anthropic', 'claude-opus-4-5', 5, 25, 0.5, 6.25),
  model('openai-responses', 'openai', 'gpt-5.1-codex', 1.25, 10, 0.125, 0),
  model('google-generative-ai', 'google', 'gemini-2.5-pro', 1.25, 10, 0.31, 0),
  model('openai-completions', 'deepseek', 'deepseek-chat', 0.28, 0.42, 0.028, 0),
];

export interface Usage {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  totalTokens: number;
  cost: { input: number; output: number; cacheRead: number; cacheWrite: number; total: number };
}

/** Usage of one call; the totals are the sums of their parts. Arguments in tokens. */
export function usage(of: Model, input: number, output: number, cacheRead: number, cacheWrite: number): Usage {
  const cost = {
    input: (input * of.price.input) / 1e6,
    output: (output * of.price.output) / 1e6,
    cacheRead: (cacheRead * of.price.cacheRead) / 1e6,
    cacheWrite: (cacheWrite * of.price.cacheWrite) / 1e6,
  };
  const total = cost.input + cost.output + cost.cacheRead + cost.cacheWrite;
  return { input, output, cacheRead, cacheWrite, totalTokens: input + output + cacheRead + cacheWrite, cost: { ...cost, total } };
}

function model(
  api: string,
  provider: string,
  id: string,
  input: number,
  output: number,
  cacheRead: number,
  cacheWrite: number,
): Model {
  return { api, provider, id, price: { input, output, cacheRead, cacheWrite } };
}
