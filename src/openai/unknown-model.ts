import { field, filledText, parsedOrUndefined } from './json.ts';

/**
 * Whether a 404 is about the model and not about the path: its code says so, or its message speaks of a model and
 * names this one (vLLM: "The model `x` does not exist."; Ollama: "model 'x' not found").
 */
export function namesUnknownModel(body: string, model: string): boolean {
  const error = field(parsedOrUndefined(body), 'error') ?? parsedOrUndefined(body);
  if (field(error, 'code') === 'model_not_found') return true;
  const message = filledText(field(error, 'message')) ?? filledText(error) ?? '';
  return /\bmodel\b/i.test(message) && message.includes(model);
}
