import { listPath } from '../../api/list.ts';
import type { KnownSubject } from '../../api/objects.ts';
import { useRead } from '../../api/request.ts';
import type { AccountAccess } from './account.ts';

/** This build has no caps. */
export const NearCaps = null;

/** This build has no plans. */
export const OwnPlan = null;

/** Accounts and keys are managed by `gatewayctl account`; the console shows their state alone. */
export function useAccount(subject: string): AccountAccess {
  const read = useRead<{ subjects: readonly KnownSubject[] }>(listPath('/api/subjects', { subject }));
  const isDisabled = read.data?.subjects[0]?.enabled === false;
  const text = `The account is disabled. To enable it, run: gatewayctl account enable ${subject}`;
  return { reads: [read], causes: isDisabled ? [{ name: 'disabled', text }] : [], actions: [] };
}
