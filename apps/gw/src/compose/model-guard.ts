import { type Json, type Model, ModelRefused } from '../agent/types.ts';

const DIRECT_REFUSED =
  'The policy of your organization lists the providers that may be used, so only models behind its gateway are. Choose one with --model or /model, or give the model an endpoint in the configuration.';

/** Refuses models that do not go through the gateway while the organization's policy lists providers: the gateway checks the others. */
export function createModelGuard() {
  let listsProviders = false;
  return {
    /** @param document of the policy in force; null: none. */
    follow(document: Json): void {
      const models = memberOf(document, 'models');
      listsProviders = Array.isArray(memberOf(models, 'providers'));
    },
    /** @param atGateway whether the gateway sees the model's calls. */
    guard(model: Model, atGateway: boolean): Model {
      if (atGateway) return model;
      return {
        ...model,
        stream(request, signal) {
          if (listsProviders) throw new ModelRefused(DIRECT_REFUSED, 403, false);
          return model.stream(request, signal);
        },
      };
    },
  };
}

export type ModelGuard = ReturnType<typeof createModelGuard>;

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
