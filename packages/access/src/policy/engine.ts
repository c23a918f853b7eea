import { createRequire } from 'node:module';
import type * as Cedar from '@cedar-policy/cedar-wasm/nodejs';

export type { Cedar };

/** The engine broke down while it was asked. Nothing it would have said may be guessed: the answer is no. */
export class PolicyEngineFault extends Error {
  override readonly name = 'PolicyEngineFault';
}

const require = createRequire(import.meta.url);
const MODULE = '@cedar-policy/cedar-wasm/nodejs';
let instance: typeof Cedar | null = null;

/**
 * Asks the engine one thing. It is loaded at the first question (11 MB), so that a deployment without a policy never pays for it.
 * A WebAssembly instance that trapped once answers nothing ever after: it is thrown away, and the next question gets a fresh one.
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
