import { CAUSES } from '@gateway/contract/causes';
import { legible } from '@gateway/contract/legible';
import { Alert, Button, Stack, Text } from '@mantine/core';
import { useContext } from 'react';
import type { Decision } from '../../api/objects.ts';
import { Surface } from '../../route/surface.ts';

interface FixLocation {
  readonly label: string;
  readonly tab: string;
  /** The rest of the fragment: part and parameters. */
  readonly rest: string;
}

const query = (name: string, value: string) => `?${new URLSearchParams({ [name]: value })}`;

/** The page where an administrator fixes the cause of a refusal; undefined if no page does. */
function locationOfFix({ reason, subject, session }: Decision): FixLocation | undefined {
  if (/^(execution-)?policy-(forbids|error)$/.test(reason))
    return { label: 'To the authorization policy', tab: 'governance', rest: '' };
  if (/^endpoint-(unknown|disabled)$/.test(reason)) return { label: 'To the endpoints', tab: 'endpoints', rest: '' };
  if (reason === 'session-revoked' && session !== null)
    return { label: 'To this session', tab: 'audit', rest: `/agent-sessions${query('session', session)}` };
  if (subject === null) return undefined;
  if (/(role|permission)-missing$/.test(reason))
    return {
      label: `To the roles of ${legible(subject)}`,
      tab: 'governance',
      rest: `/roles${query('search', subject)}`,
    };
  if (reason === 'subject-revoked')
    return {
      label: `To the revocation of ${legible(subject)}`,
      tab: 'audit',
      rest: `/revoked-subjects${query('subject', subject)}`,
    };
  if (/^(key-revoked|key-expired|account-disabled|plan-missing|cap-reached)$/.test(reason))
    return { label: `To the account of ${legible(subject)}`, tab: 'users', rest: query('search', subject) };
  return undefined;
}

/** Why a call was refused, how to fix it, and a link to the page for the fix; nothing for a granted call. */
export function Explained({ decision }: { decision: Decision }) {
  const surface = useContext(Surface);
  const [cause, fix] = CAUSES[decision.reason] ?? [];
  if (cause === undefined) return null;
  const location = locationOfFix(decision);
  const isHere = location !== undefined && surface.path === '/' && surface.tabs.includes(location.tab);
  return (
    <Alert role="note" color="gray" variant="light" title={cause} mb="md">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{fix}</Text>
        {isHere && (
          <Button component="a" size="xs" variant="default" href={`#${location.tab}${location.rest}`}>
            {location.label}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}
