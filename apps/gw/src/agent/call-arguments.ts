import { errorMessage } from '@gateway/contract/error-code';
import type { Tool } from './types.ts';

/** The arguments of a call, or what is wrong with them, for the model. */
export function readArguments(tool: Tool, text: string): ReturnType<Tool['parse']> {
  let raw: unknown;
  try {
    raw = JSON.parse(text.trim() === '' ? '{}' : text);
    // Some models send their JSON as a string of JSON.
    if (typeof raw === 'string') raw = JSON.parse(raw);
  } catch (error) {
    const why = errorMessage(error);
    return { ok: false, message: `The arguments of ${tool.name} are not valid JSON (${why}). Send one JSON object.` };
  }
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw))
    return { ok: false, message: `The arguments of ${tool.name} are no JSON object. Send one JSON object.` };
  return tool.parse(raw);
}
