import type { AgentEvent } from './types.ts';

export type Emit = (event: AgentEvent) => void;

/** Hands events to every listener, in order. A listener may leave while it is called. */
export function createEmitter(): { readonly emit: Emit; readonly subscribe: (listener: Emit) => () => void } {
  const listeners = new Set<Emit>();
  return {
    emit(event: AgentEvent): void {
      for (const listener of Array.from(listeners)) listener(event);
    },
    subscribe(listener: Emit): () => void {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}
