import type { InputFault } from '@gateway/access/declarations';
import { catalogDifferences, modelName } from './catalog.ts';
import type { Change } from './change.ts';
import type { ConfigurationDocument, WholeDocument } from './document.ts';
import { peopleDifferences } from './people.ts';
import { organizationDifferences, policyDifference } from './policies.ts';
import { documentOf, type State } from './state.ts';

export interface Plan {
  /** Ordered so that each object follows those it refers to. */
  readonly changes: readonly Change[];
  /** How many things are not in the document and stay: those that `--prune` would delete. */
  readonly kept: number;
  /** References to objects that do not exist. */
  readonly faults: readonly InputFault[];
}

/** What makes an instance the one that a document describes. With `prune`, what the document's sections lack is deleted. */
export function planChanges(document: ConfigurationDocument, state: State, prune: boolean): Plan {
  const present = documentOf(state);
  const { providers, models, endpoints, plans } = catalogDifferences(document, state, present);
  const { accounts, roles, projects } = peopleDifferences(document, present);
  const organizations = organizationDifferences(document, state, present);
  const extra = [endpoints, models, providers, plans, roles, projects].flatMap((one) => one.extra);
  // Roles go before others come: a subject may change from administration to audit.
  const removed = prune ? extra : [];
  const [unused, ended] = [
    removed.filter(({ kind }) => kind !== 'role' && kind !== 'member'),
    removed.filter(({ kind }) => kind === 'role' || kind === 'member'),
  ];
  const changes = [
    ...[plans, accounts, providers, models, endpoints].flatMap((one) => one.put),
    ...unused,
    ...organizations.put,
    ...policyDifference(document, state),
    ...ended,
    ...[roles, projects].flatMap((one) => one.put),
  ];
  return { changes, kept: prune ? 0 : extra.length, faults: danglingReferences(document, present, prune) };
}

/** Dangling references: of models to providers and of endpoints to models. */
function danglingReferences(document: ConfigurationDocument, present: WholeDocument, prune: boolean): InputFault[] {
  const names = <Item>(wanted: readonly Item[] | undefined, there: readonly Item[], nameOf: (item: Item) => string) =>
    new Set([...(prune && wanted !== undefined ? [] : there), ...(wanted ?? [])].map(nameOf));
  const providers = names(document.providers, present.providers, ({ slug }) => slug);
  const models = names(document.models, present.models, ({ provider, slug }) => modelName(provider, slug));
  const sentence = (kind: string, name: string) =>
    `names the ${kind} ${name}, which neither the file nor the instance ${prune ? 'keeps' : 'holds'}: declare it`;
  return [
    ...(document.models ?? []).flatMap(({ provider }, index) =>
      providers.has(provider)
        ? []
        : [{ path: ['models', index, 'provider'], sentence: sentence('provider', provider) }],
    ),
    ...(document.endpoints ?? []).flatMap(({ provider, model }, index) =>
      models.has(modelName(provider, model))
        ? []
        : [{ path: ['endpoints', index, 'model'], sentence: sentence('model', modelName(provider, model)) }],
    ),
  ];
}
