import {
  changeThing,
  type Declared,
  declareThing,
  deleteThing,
  ENDPOINTS,
  MODELS,
  PROVIDERS,
  type Things,
} from '@gateway/database/administration';
import { v7 as uuid } from 'uuid';
import { planActs } from '#plans';
import { CommandFailed } from '../context/fault.ts';
import { type Change, type Differences, differencesOf } from './change.ts';
import type { ConfigurationDocument, ItemOf, WholeDocument } from './document.ts';
import type { State } from './state.ts';

type Identified<Item> = Item & { readonly id: string };

/** The acts on a kind of thing: new ones under the ids they are given, the others by the id they have. */
function actsOn<Item extends object, Kind extends keyof Things>(
  of: Declared<Kind>,
  idOf: (item: Item) => string,
  thingOf: (item: Item) => Omit<Things[Kind], 'id'>,
) {
  const whole = (item: Item) => ({ id: idOf(item), ...thingOf(item) }) as Things[Kind];
  /** Locked, so that the log says what the value was. */
  const locked = async (sql: Parameters<typeof of.lock>[0], item: Item): Promise<Things[Kind]> => {
    const thing = await of.lock(sql, idOf(item));
    if (thing === undefined) throw new CommandFailed('The configuration was changed meanwhile. Run the command again.');
    return thing;
  };
  return {
    create:
      (item: Item): Change['perform'] =>
      (act) =>
        declareThing(act, of, whole(item)),
    change:
      (_: Item, item: Item): Change['perform'] =>
      async (act) =>
        changeThing(act, of, await locked(act.sql, item), whole(item)),
    remove:
      (item: Item): Change['perform'] =>
      async (act) =>
        deleteThing(act, of, await locked(act.sql, item)),
  };
}

/** Ids by name: those of the instance, and new ones for objects only in the document. */
function identities(present: Iterable<readonly [name: string, id: string]>): (name: string) => string {
  const ids = new Map(present);
  return (name) => {
    const id = ids.get(name) ?? uuid();
    ids.set(name, id);
    return id;
  };
}

/** Name of a model within the instance. */
export const modelName = (provider: string, slug: string): string => `${provider}/${slug}`;

/** What differs in providers, models, endpoints and plans. */
export function catalogDifferences(
  document: ConfigurationDocument,
  state: State,
  present: WholeDocument,
): Readonly<Record<'providers' | 'models' | 'endpoints' | 'plans', Differences>> {
  const slugs = new Map(state.providers.map(({ id, slug }) => [id, slug]));
  const providerId = identities(state.providers.map(({ id, slug }) => [slug, id]));
  const modelId = identities(state.models.map((one) => [modelName(slugs.get(one.provider) ?? '', one.slug), one.id]));
  const endpointId = identities(state.endpoints.map(({ id, name }) => [name, id]));
  const planId = identities(state.plans.map(({ id, slug }: Identified<{ slug: string }>) => [slug, id]));

  return {
    providers: differencesOf<ItemOf<'providers'>>({
      kind: 'provider',
      wanted: document.providers,
      present: present.providers,
      nameOf: ({ slug }) => slug,
      ...actsOn(
        PROVIDERS,
        ({ slug }) => providerId(slug),
        (item) => item,
      ),
    }),
    models: differencesOf<ItemOf<'models'>>({
      kind: 'model',
      wanted: document.models,
      present: present.models,
      nameOf: ({ provider, slug }) => modelName(provider, slug),
      ...actsOn(
        MODELS,
        ({ provider, slug }) => modelId(modelName(provider, slug)),
        (item) => ({ ...item, provider: providerId(item.provider) }),
      ),
    }),
    endpoints: differencesOf<ItemOf<'endpoints'>>({
      kind: 'endpoint',
      wanted: document.endpoints,
      present: present.endpoints,
      nameOf: ({ name }) => name,
      ...actsOn(
        ENDPOINTS,
        ({ name }) => endpointId(name),
        ({ provider, model, ...item }) => ({ ...item, model: modelId(modelName(provider, model)) }),
      ),
    }),
    plans:
      planActs === null
        ? { put: [], extra: [] }
        : differencesOf<ItemOf<'plans'>>({
            kind: 'plan',
            wanted: document.plans,
            present: present.plans,
            nameOf: ({ slug }) => slug,
            ...actsOn(
              planActs,
              ({ slug }) => planId(slug),
              (item) => item,
            ),
          }),
  };
}
