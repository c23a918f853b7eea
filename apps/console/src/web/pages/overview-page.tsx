import { reasonLabel } from '@gateway/contract/labels';
import { legible } from '@gateway/contract/legible';
import { Anchor, Box, Group, List, Paper, Skeleton, Stack, Switch, Table, Text, ThemeIcon } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useContext, useState } from 'react';
import { NearCaps } from '#account';
import type { Decision, Overview, ProviderHealth } from '../api/objects.ts';
import { isRefusal, useMay } from '../api/queries.ts';
import { type ApiError, request, useRead } from '../api/request.ts';
import { Surface } from '../route/use-route.ts';
import { Fault, ReadFault } from '../ui/fault.tsx';
import { count } from '../ui/numbers.ts';
import { Outcome, StatusBadge } from '../ui/outcome.tsx';
import { Icon, Section, UnreadSection } from '../ui/section.tsx';
import { inWords, Time } from '../ui/time.tsx';
import { useGatewayUrl } from './endpoints/snippets.tsx';

const EVERY_MILLISECONDS = 3000;

/** The newest decisions, refreshed periodically, for readers of the log. */
function Tail() {
  const [isLive, setIsLive] = useState(true);
  const read = useQuery<{ decisions: readonly Decision[] }, ApiError>({
    queryKey: ['live tail'],
    queryFn: ({ signal }) => request('GET', '/api/audit/decisions?limit=10', undefined, signal),
    // It goes on after a failure, but a reader who is refused is not asked for again.
    refetchInterval: ({ state: { error } }) => (isLive && !isRefusal(error) ? EVERY_MILLISECONDS : false),
    retry: false,
  });
  const { data, error, refetch } = read;
  if (data === undefined) return <UnreadSection title="Latest decisions" error={error} refetch={refetch} />;
  return (
    <Section
      title="Latest decisions"
      actions={
        <Group gap="md">
          <Switch label="Live" checked={isLive} onChange={(event) => setIsLive(event.currentTarget.checked)} />
          <Anchor size="sm" href="#audit/decisions">
            All decisions
          </Anchor>
        </Group>
      }
    >
      <ReadFault of={[read]} />
      {data.decisions.length === 0 && <Text size="sm">No decision yet.</Text>}
      {data.decisions.length > 0 && (
        <Table.ScrollContainer
          minWidth={560}
          scrollAreaProps={{ viewportProps: { role: 'group', 'aria-label': 'Latest decisions', tabIndex: 0 } }}
        >
          <Table aria-label="Latest decisions" verticalSpacing={4}>
            <Table.Tbody>
              {data.decisions.map(({ sequence, at, subject, resource, outcome, reason }) => (
                <Table.Tr key={sequence}>
                  <Table.Td>
                    <Time at={at} />
                  </Table.Td>
                  {/* Before the names, which may be long: on a phone it would be out of sight. */}
                  <Table.Td>
                    <Outcome of={outcome} />
                  </Table.Td>
                  <Table.Td>
                    <Anchor size="sm" href={`#audit/decisions?sequence=${sequence}`}>
                      {legible(subject ?? 'nobody')}
                    </Anchor>
                  </Table.Td>
                  <Table.Td>{legible(resource)}</Table.Td>
                  <Table.Td title={reason}>{reason === 'role' ? '' : reasonLabel(reason)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </Section>
  );
}

const DONE = 'M5 13l4 4L19 7';
const OPEN = 'M12 5a7 7 0 1 0 0 14 7 7 0 0 0 0-14z';

/** What has to be set up before people can call, and recommended steps after that. Hidden once all of it is done. */
function Checklist({ overview }: { overview: Overview }) {
  const steps = [
    { done: overview.providers > 0, text: 'Connect an engine', href: '#endpoints?open=connect' },
    { done: overview.activeEndpoints > 0, text: 'Create an endpoint', href: '#endpoints' },
    {
      done: overview.callers > 0,
      text: 'Let a person call: grant the role User',
      href: '#governance/roles?open=grant',
    },
    { done: overview.hasCall, text: 'Make the first call: Endpoints, Call it', href: '#endpoints' },
    {
      done: overview.administrators > 0,
      text: 'Grant somebody the role Administrator',
      href: '#governance/roles?open=grant',
    },
    { done: overview.auditors > 0, text: 'Grant somebody else the role Auditor', href: '#governance/roles?open=grant' },
  ];
  if (steps.every(({ done }) => done)) return null;
  return (
    <Section title="Set-up" about={`${steps.filter(({ done }) => done).length} of ${steps.length} steps are done.`}>
      <List spacing="xs" center>
        {steps.map(({ done, text, href }) => (
          <List.Item
            key={text}
            icon={
              <ThemeIcon size={22} radius="xl" variant="light" color={done ? 'teal' : 'gray'} aria-hidden="true">
                <Icon size={14} path={done ? DONE : OPEN} />
              </ThemeIcon>
            }
          >
            {done ? (
              <Text size="sm" c="dimmed">
                {text}: done
              </Text>
            ) : (
              <Anchor size="sm" href={href}>
                {text}
              </Anchor>
            )}
          </List.Item>
        ))}
      </List>
    </Section>
  );
}

const MOST = 8;

/** The providers by name with their last answer, those with failures of the last hour first. */
function Engines() {
  const read = useRead<{ health: readonly ProviderHealth[] }>('/api/providers/health');
  const { data, error, refetch } = read;
  if (data === undefined) return <UnreadSection title="Engines" error={error} refetch={refetch} />;
  const called = data.health.filter(({ last }) => last !== null);
  if (called.length === 0) return null;
  const shown = called.toSorted((one, other) => other.failedLastHour - one.failedLastHour).slice(0, MOST);
  return (
    <Section
      title="Engines"
      about="The last answer of each provider, and its failed calls of the last hour."
      actions={
        <Anchor size="sm" href="#endpoints">
          {called.length > MOST ? `All ${count(called.length)} providers` : 'Providers'}
        </Anchor>
      }
    >
      <ReadFault of={[read]} />
      <List listStyleType="none" spacing="xs" size="sm">
        {shown.map(({ provider, name, last, callsLastHour, failedLastHour }) => (
          <List.Item key={provider}>
            <Group gap="sm" wrap="wrap">
              <Text size="sm" fw={500} w={160} truncate title={`${name} (${provider})`}>
                {name}
              </Text>
              {last !== null && <StatusBadge status={last.status} />}
              <Text size="sm" c={failedLastHour > 0 ? 'red' : 'dimmed'}>
                {callsLastHour === 0 ? 'no call' : `${count(failedLastHour)} of ${count(callsLastHour)} failed`}
              </Text>
              {last !== null && (
                <Text size="xs" c="dimmed">
                  last answer {inWords(new Date(last.at))}
                </Text>
              )}
            </Group>
          </List.Item>
        ))}
      </List>
    </Section>
  );
}

const DAY_MILLISECONDS = 86_400_000;
/** Days before the end from which a warning is shown. */
const SOON_DAYS = 30;
const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });

/** A day in UTC as people read it. */
const dayOf = (at: string): string => DAY.format(new Date(at));

/** When a license or a certificate ends, where the gateways report one. It links to the page on how to renew it. */
function Ending({ label, at, manual }: { label: string; at: string | null; manual: string }) {
  const { url } = useGatewayUrl();
  if (at === null) return null;
  const days = Math.floor((Date.parse(at) - Date.now()) / DAY_MILLISECONDS);
  const note = days < 0 ? 'renew it now' : days === 1 ? '1 day left' : `${count(days)} days left`;
  return (
    <Paper withBorder p={{ base: 'sm', xs: 'md' }} role="group" aria-label={label}>
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <Anchor
        href={`${url}/v/${manual}`}
        target="_blank"
        rel="noreferrer"
        title="How to renew: manual, in a new tab"
        fz={{ base: 'md', xs: 'lg' }}
        fw={650}
      >
        {days < 0 ? 'expired' : dayOf(at)}
      </Anchor>
      <Text size="xs" {...(days < SOON_DAYS ? { c: 'var(--mantine-color-error)', fw: 600 } : { c: 'dimmed' })}>
        {note}
      </Text>
    </Paper>
  );
}

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
  const { data, error, refetch, dataUpdatedAt } = useRead<Overview>('/api/overview');
  const { tabs } = useContext(Surface);
  const readsLog = useMay('journal:lire') !== false;
  const verifies = useMay('journal:verifier-l-integrite') !== false;
  const usage = tabs.includes('usage') ? '#usage?period=day' : readsLog ? '#audit/decisions' : undefined;
  return (
    <Stack gap="xl">
      <Section title="Overview" about="The last day of this instance (UTC). Numbers link to their pages.">
        <Fault error={error} retry={refetch} since={data === undefined ? undefined : dataUpdatedAt} />
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
              href={readsLog ? '#audit/decisions?outcome=refused' : undefined}
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
              href={verifies ? '#audit/verification' : undefined}
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
  const may = useMay('journal:verifier-l-integrite');
  if (may === undefined) return null;
  if (!may)
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

/** @param href where there is more of it, for a reader who may read that */
function Tile(props: { label: string; value: string; note?: string; href: string | undefined }) {
  const { label, value, note, href } = props;
  const look = { fz: { base: 'md', xs: 'lg' }, fw: 650, style: { overflowWrap: 'anywhere' } } as const;
  return (
    <Paper withBorder p={{ base: 'sm', xs: 'md' }}>
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      {href === undefined ? (
        <Text {...look}>{value}</Text>
      ) : (
        <Anchor href={href} {...look}>
          {value}
        </Anchor>
      )}
      {note !== undefined && (
        <Text size="xs" c="dimmed">
          {note}
        </Text>
      )}
    </Paper>
  );
}
