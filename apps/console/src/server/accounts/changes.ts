import { changeAccounts } from '@gateway/database/administration';
import * as z from 'zod';
import { faulty, okResponse } from '../http/answers.ts';
import { reference } from '../input/reference.ts';
import { administer } from '../routing/administer.ts';
import { route } from '../routing/route.ts';

/** Accounts of one request. */
const MOST_CHANGES = 500;
const LIST = `must be a list of 1 to ${MOST_CHANGES} changes`;

const one = z.strictObject({
  id: reference,
  plan: reference.nullable().optional(),
  enabled: z.boolean('must be true or false').optional(),
});

const REFUSED = { absent: 'There is no such user.', plan: 'plan must be the id of one that exists.' } as const;

/** Plan and state of many accounts. */
export const changeUsers = route({
  method: 'POST',
  path: '/api/users/changes',
  right: 'shared-pair',
  summary:
    'Changes plan or state of 1 to 500 accounts. Each is refused by itself. A disabled account is refused with its next request.',
  answers:
    '200 `{results}`: `id`, `outcome` (`changed`, `unchanged`, `refused`) and `error` of each, in the order given',
  body: z.strictObject({ changes: z.array(one, LIST).min(1, LIST).max(MOST_CHANGES, LIST) }),
  async handle(call) {
    const { changes } = call.body;
    if (new Set(changes.map(({ id }) => id.toLowerCase())).size < changes.length)
      return faulty({ changes: 'name an account twice' });
    const outcome = await administer(call, (act) => changeAccounts(act, changes));
    if ('violated' in outcome) return faulty({ changes: 'changed meanwhile: send the request again' });
    const results = changes.map(({ id }, at) => {
      const came = outcome.done[at] ?? 'absent';
      return came === 'absent' || came === 'plan'
        ? { id, outcome: 'refused', error: REFUSED[came] }
        : { id, outcome: came };
    });
    return okResponse({ results });
  },
});
