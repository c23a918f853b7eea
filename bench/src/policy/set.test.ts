import { checkPolicySet } from '@gateway/access';
import { expect, it } from 'vitest';
import { TWENTY_POLICIES } from './set.ts';

it('the measured policies may be installed, all twenty of them', () => {
  expect(TWENTY_POLICIES).toHaveLength(20);
  expect(checkPolicySet(TWENTY_POLICIES.join('\n'))).toMatchObject({ ok: true });
});
