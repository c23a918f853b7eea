import { requestProviderTest } from '@gateway/database/administration';
import { readProviderTest } from '@gateway/database/console';
import { createdResponse, okResponse, unknown } from '../http/answers.ts';
import { administer } from '../routing/administer.ts';
import { type Right, type Route, route } from '../routing/route.ts';

const right: Right = { permission: 'fournisseurs:administrer' };

const request = route({
  method: 'POST',
  path: '/api/providers/:id/test',
  right,
  summary:
    'Asks a gateway to test the connection to a provider, because only the gateway has the key and the network. The gateway requests the models of the engine and stores the result.',
  answers: '201 `{id, requestedAt, finishedAt, status, fault, models}`, unfinished',
  async handle(call) {
    const outcome = await administer(call, (act) => requestProviderTest(act, call.parameters.id));
    return 'done' in outcome ? createdResponse(outcome.done) : unknown('provider');
  },
});

const state = route({
  method: 'GET',
  path: '/api/provider-tests/:id',
  right,
  summary: 'Shows the state of a connection test. A gateway starts it within seconds, or not at all after a minute.',
  answers: '200 `{id, requestedAt, finishedAt, status, fault, models}`',
  async handle({ parameters, services }) {
    const test = await readProviderTest(services.database, parameters.id);
    return test === undefined ? unknown('provider test') : okResponse(test);
  },
});

export const providerTestRoutes: readonly Route[] = [request, state];
