import { readOverview } from '@gateway/database/console';
import { okResponse } from './http/answers.ts';
import { route } from './routing/route.ts';

/** Numbers for the first look. They name nobody. */
export const overview = route({
  method: 'GET',
  path: '/api/overview',
  right: { permission: 'console:administrer-l-instance' },
  summary:
    'Counts declarations, roles, and the calls, refusals and engine failures of the last hour and day. A count stops at 100,000. It names nobody.',
  answers: '200 object of numbers',
  handle: async ({ services }) => okResponse(await readOverview(services.database)),
});
