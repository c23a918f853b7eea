import { Anchor, Box, Paper, Skeleton, Stack, Text } from '@mantine/core';
import { useContext } from 'react';
import { NearCaps } from '#account';
import type { Overview } from '../../api/objects.ts';
import { useRead } from '../../api/read.ts';
import { useSession } from '../../api/session.ts';
import { Surface } from '../../route/surface.ts';
import { Fault } from '../../ui/fault.tsx';
import { count } from '../../ui/numbers.ts';
import { Section } from '../../ui/section.tsx';
import { inWords } from '../../ui/time.tsx';
import { Checklist } from './checklist.tsx';
import { dayOf, Ending } from './ending.tsx';
import { Engines } from './engines.tsx';
import { Tail } from './tail.tsx';

/** Five in a row on a wide screen: of seven to ten tiles, none is alone in the last row. */
const TILES = {
  display: 'grid',
  gap: 'var(--mantine-spacing-sm)',
  gridTemplateColumns: 'repeat(auto-fill, minmax(max(150px, 17.5%), 1fr))',
} as const;

/** Marks a count that was stopped at its limit. */
const atMost = (value: number): string => (value >= 100_000 ? 'over 100,000' : count(value));

/** What an operator looks at first; each number links to its page. */
export function OverviewPage() {
  const { data, error, refetch } = useRead<Overview>('/api/overview');
  const { tabs } = useContext(Surface);
  const usage = tabs.includes('usage') ? '#usage?period=day' : '#audit/decisions';
  return (
    <Stack gap="xl">
      <Section title="Overview" about="The last day of this instance (UTC). Each number links to its page.">
        <Fault error={error} retry={refetch} />
        {data === undefined && error === null && (
          <Skeleton height={220} role="status" aria-busy="true" aria-label="Overview: loading" />
        )}
        {data !== undefined && (
          <Box style={TILES}>
            <Tile label="Status" value={statusOf(data)} note={lastCall(data)} href="#endpoints" />
            <Tile label="Calls, last hour" value={atMost(data.callsLastHour)} href={usage} />
            <Tile label="Calls, last day" value={atMost(data.callsLastDay)} href={usage} />
            <Tile
              label="Refused, last day"
              value={atMost(data.refusedLastDay)}
              href="#audit/decisions?outcome=refused"
            />
            <Tile
              label="Engine errors, last day"
              value={atMost(data.failedLastDay)}
              note={`${atMost(data.failedLastHour)} in the last hour`}
              href="#endpoints"
            />
            <Tile
              label="Authorization policy"
              value={data.policyRevision === null ? 'none' : `revision ${data.policyRevision}`}
              href="#governance"
            />
            {data.waiting > 0 && (
              <Tile
                label="Waiting for a role"
                value={data.waiting >= 1000 ? 'over 1,000' : count(data.waiting)}
                href="#governance/roles"
              />
            )}
            {data.keysEnding > 0 && (
              <Tile
                label="Keys that end within 14 days"
                value={count(data.keysEnding)}
                href={tabs.includes('users') ? '#users' : '#governance/roles'}
              />
            )}
            <Ending label="License" at={data.licenseExpiresAt} manual="operator/licence" />
            <Ending label="Certificate" at={data.certificateExpiresAt} manual="deployment/https" />
            <Tile
              label="Last verification"
              value={data.lastVerification === null ? 'never' : dayOf(data.lastVerification.at)}
              note={describeResult(data.lastVerification)}
              href="#audit/verification"
            />
          </Box>
        )}
      </Section>
      {data !== undefined && <Checklist overview={data} />}
      <Engines />
      {NearCaps !== null && <NearCaps />}
      <Tail />
      <Verification />
    </Stack>
  );
}

/** Who may verify the logs depends on the roles: the on-premise administrator may not. */
function Verification() {
  const session = useSession();
  if (session === undefined) return null;
  if (session.subject !== null && !session.roles.some(({ role }) => role === 'auditeur'))
    return <Text size="sm">An auditor verifies the logs: it shows whether an entry was changed or removed.</Text>;
  return (
    <Text size="sm">
      <Anchor href="#audit/verification" inherit underline="always">
        Verify the logs
      </Anchor>{' '}
      regularly: it shows whether an entry was changed or removed.
    </Text>
  );
}

/** What the last verification found. */
function describeResult(found: Overview['lastVerification']): string {
  if (found === null) return 'no log verified yet';
  if (found.brokenAt !== null) return `broken at entry ${count(found.brokenAt)}`;
  return `intact, ${count(found.entries ?? 0)} entries`;
}

/** One word for the state of the whole. */
function statusOf({ activeEndpoints, failedLastHour, callsLastHour }: Overview): string {
  if (activeEndpoints === 0) return 'not set up';
  if (failedLastHour > 0) return failedLastHour * 2 > callsLastHour ? 'failing' : 'some errors';
  return 'serving';
}

const lastCall = ({ lastCallAt }: Overview): string =>
  lastCallAt === null ? 'no call yet' : `last call ${inWords(new Date(lastCallAt))}`;

function Tile({ label, value, note, href }: { label: string; value: string; note?: string; href: string }) {
  return (
    <Paper withBorder p={{ base: 'sm', xs: 'md' }}>
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <Anchor href={href} fz={{ base: 'md', xs: 'lg' }} fw={650} style={{ overflowWrap: 'anywhere' }}>
        {value}
      </Anchor>
      {note !== undefined && (
        <Text size="xs" c="dimmed">
          {note}
        </Text>
      )}
    </Paper>
  );
}
