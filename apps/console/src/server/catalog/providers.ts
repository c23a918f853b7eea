import {
  deleteProvider,
  insertProvider,
  listProviders,
  lockProvider,
  type Provider,
  updateProvider,
} from '@gateway/database/console';
import { v7 as uuid } from 'uuid';
import * as z from 'zod';
import { administer } from '../administer.ts';
import { created, deleted, faulty, referredTo, shown, taken, unknown } from '../answers.ts';
import { pageAsked, pageOf, paging } from '../input/page.ts';
import { present } from '../input/present.ts';
import { type Right, route } from '../route.ts';
import { changedProvider, faultsOfProvider, newProvider } from './provider-input.ts';

const right: Right = { permission: 'fournisseurs:administrer' };
const target = ({ slug }: Provider) => `provider:${slug}`;

const list = route({
  method: 'GET',
  path: '/api/providers',
  right,
  summary: 'Lists the providers by slug.',
  answers: '200 `{providers, next}`',
  query: z.strictObject(paging('providers', z.tuple([z.string()]))),
  async handle({ query, services }) {
    const page = pageAsked(query);
    const rows = await listProviders(services.database, page);
    return shown(pageOf('providers', rows, page, ({ slug }) => [slug]));
  },
});

const create = route({
  method: 'POST',
  path: '/api/providers',
  right,
  summary:
    'Declares a provider. A Base URL of plain `http` needs `clearTextAcknowledged: true`. An empty `apiKeyEnv` or `apiKeyHeader` is none.',
  answers: '201 provider',
  body: newProvider,
  async handle(call) {
    const provider: Provider = { id: uuid(), ...call.body };
    const faults = faultsOfProvider(provider);
    if (faults !== null) return faulty(faults);
    const outcome = await administer(call, async ({ sql, record }) => {
      await insertProvider(sql, provider);
      await record({ action: 'provider.create', target: target(provider), before: null, after: provider });
    });
    return 'violated' in outcome ? taken('provider', 'slug') : created(provider);
  },
});

const change = route({
  method: 'PATCH',
  path: '/api/providers/:id',
  right,
  summary: 'Changes a provider; what the body leaves out stays.',
  answers: '200 provider',
  body: changedProvider,
  async handle(call) {
    const outcome = await administer<Provider, 'absent' | Readonly<Record<string, string>>>(call, async (at) => {
      const before = (await lockProvider(at.sql, call.parameters.id)) ?? at.abandon('absent');
      const after: Provider = { ...before, ...present(call.body) };
      const faults = faultsOfProvider(after);
      if (faults !== null) at.abandon(faults);
      await updateProvider(at.sql, after);
      await at.record({ action: 'provider.change', target: target(before), before, after });
      return after;
    });
    if ('violated' in outcome) return taken('provider', 'slug');
    if ('done' in outcome) return shown(outcome.done);
    return outcome.abandoned === 'absent' ? unknown('provider') : faulty(outcome.abandoned);
  },
});

const remove = route({
  method: 'DELETE',
  path: '/api/providers/:id',
  right,
  summary: 'Deletes a provider that no model refers to.',
  answers: '204',
  async handle(call) {
    const outcome = await administer<void, 'absent'>(call, async (at) => {
      const before = (await lockProvider(at.sql, call.parameters.id)) ?? at.abandon('absent');
      await deleteProvider(at.sql, before.id);
      await at.record({ action: 'provider.delete', target: target(before), before, after: null });
    });
    if ('violated' in outcome) return referredTo('provider', 'a model');
    return 'done' in outcome ? deleted() : unknown('provider');
  },
});

export const providerRoutes = [list, create, change, remove];
