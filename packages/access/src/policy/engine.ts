import { createRequire } from 'node:module';
import type * as Cedar from '@cedar-policy/cedar-wasm/nodejs';

export type { Cedar };

/** The engine crashed during a request. Its answer must not be guessed: the decision is a refusal. */
export class PolicyEngineFault extends Error {
  override readonly name = 'PolicyEngineFault';
}

const require = createRequire(import.meta.url);
const MODULE = '@cedar-policy/cedar-wasm/nodejs';
let instance: typeof Cedar | null = null;

/**
 * Asks the engine one request. It is loaded at the first request (11 MB), so that a deployment without a policy does not pay
 * for it. A WebAssembly instance that trapped once never works again: it is replaced before the next request.
 * @throws {PolicyEngineFault}
 */
export function askEngine<Answer>(ask: (cedar: typeof Cedar) => Answer): Answer {
  try {
    instance ??= require(MODULE) as typeof Cedar;
    return ask(instance);
  } catch (error) {
    instance = null;
    delete require.cache[require.resolve(MODULE)];
    throw new PolicyEngineFault('The policy engine failed.', { cause: error });
  }
}
