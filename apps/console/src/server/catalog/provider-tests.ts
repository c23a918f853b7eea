import { faultsOfProvider, testedProvider } from '@gateway/access/declarations';
import { requestConnectionTest, requestProviderTest } from '@gateway/database/administration';
import { listKeyVariableReports, readProviderTest } from '@gateway/database/console';
import { createdResponse, faulty, okResponse, unknown } from '../http/answers.ts';
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

const requestUndeclared = route({
  method: 'POST',
  path: '/api/provider-tests',
  right,
  summary:
    'Asks a gateway to test a connection before a provider is declared with it, and to list the models of the engine. It takes the members of a provider but `slug` and `name`, and declares nothing.',
  answers: '201 `{id, requestedAt, finishedAt, status, fault, models}`, unfinished',
  body: testedProvider,
  async handle(call) {
    const faults = faultsOfProvider(call.body);
    if (faults !== null) return faulty(faults);
    const outcome = await administer(call, (act) => requestConnectionTest(act, call.body));
    if ('violated' in outcome)
      throw new Error(`requesting a test conflicted with another change (${outcome.violated.constraint})`);
    return createdResponse(outcome.done);
  },
});

const keyVariables = route({
  method: 'GET',
  path: '/api/providers/key-variables',
  right,
  summary:
    'Shows which key variables of the providers are set in the environment of each gateway: names, never values. A report that was not repeated for five minutes is old.',
  answers: '200 `{reports}`: gateway, reportedAt, isOld, present, absent',
  handle: async ({ services }) => okResponse({ reports: await listKeyVariableReports(services.database) }),
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

export const providerTestRoutes: readonly Route[] = [request, requestUndeclared, keyVariables, state];
