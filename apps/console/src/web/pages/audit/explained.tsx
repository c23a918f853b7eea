import { CAUSES } from '@gateway/contract/causes';
import { legible } from '@gateway/contract/legible';
import { Alert, Button, Stack, Text } from '@mantine/core';
import { useContext } from 'react';
import type { Decision } from '../../api/objects.ts';
import { Surface } from '../../place/surface.ts';

interface Mended {
  readonly label: string;
  readonly tab: string;
  /** Within the tab, as the address has it. */
  readonly place: string;
}

const sought = (name: string, value: string) => `?${new URLSearchParams({ [name]: value })}`;

/** The page where an administrator fixes the cause of a refusal; undefined if no page does. */
function whereMended({ reason, subject, session }: Decision): Mended | undefined {
  if (/^(execution-)?policy-(forbids|error)$/.test(reason))
    return { label: 'To the authorization policy', tab: 'governance', place: '' };
  if (/^endpoint-(unknown|disabled)$/.test(reason)) return { label: 'To the endpoints', tab: 'endpoints', place: '' };
  if (reason === 'session-revoked' && session !== null)
    return { label: 'To this session', tab: 'audit', place: `/agent-sessions${sought('session', session)}` };
  if (subject === null) return undefined;
  if (/(role|permission)-missing$/.test(reason))
    return {
      label: `To the roles of ${legible(subject)}`,
      tab: 'governance',
      place: `/roles${sought('search', subject)}`,
    };
  if (reason === 'subject-revoked')
    return {
      label: `To the revocation of ${legible(subject)}`,
      tab: 'audit',
      place: `/revoked-subjects${sought('subject', subject)}`,
    };
  if (/^(key-revoked|key-expired|account-disabled|plan-missing|cap-reached)$/.test(reason))
    return { label: `To the account of ${legible(subject)}`, tab: 'users', place: sought('search', subject) };
  return undefined;
}

/** Why a call was refused, how to fix it, and a link to the page for the fix; nothing for a granted call. */
export function Explained({ decision }: { decision: Decision }) {
  const surface = useContext(Surface);
  const [cause, mend] = CAUSES[decision.reason] ?? [];
  if (cause === undefined) return null;
  const mended = whereMended(decision);
  const isHere = mended !== undefined && surface.path === '/' && surface.tabs.includes(mended.tab);
  return (
    <Alert role="note" color="gray" variant="light" title={cause} mb="md">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{mend}</Text>
        {isHere && (
          <Button component="a" size="xs" variant="default" href={`#${mended.tab}${mended.place}`}>
            {mended.label}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}
