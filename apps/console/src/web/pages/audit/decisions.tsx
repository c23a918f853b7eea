import { CAUSES } from '@gateway/contract/causes';
import { reasonLabel, reasonNames } from '@gateway/contract/labels';
import { legible } from '@gateway/contract/legible';
import { Alert, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useContext } from 'react';
import type { Decision, Detection, EngineResult } from '../../api/objects.ts';
import { useRead } from '../../api/request.ts';
import { Surface } from '../../route/use-route.ts';
import { identifier, whole } from '../../route/use-search-params.ts';
import { Details } from '../../ui/details.tsx';
import { Fault } from '../../ui/fault.tsx';
import { Outcome, StatusBadge } from '../../ui/outcome.tsx';
import { Found, LogList, SESSION, SUBJECT, WHEN } from './log-list.tsx';

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

/** How the engine answered the call, which the decision's own status does not say. */
export function Upstream({ decision }: { decision: Decision }) {
  const isCall = decision.outcome === 'granted' && decision.permission === 'inference:appeler';
  const read = useRead<{ upstream: EngineResult | null }>(
    isCall ? `/api/audit/decisions/${decision.id}/upstream` : null,
  );
  if (!isCall) return null;
  if (read.isPending)
    return <Skeleton height={24} mb="md" aria-busy="true" role="status" aria-label="Engine: loading" />;
  const found = read.data?.upstream ?? null;
  return (
    <Group gap="xs" mb="md" role="group" aria-label="Answer of the engine">
      <Fault error={read.error} retry={read.refetch} />
      <Text size="sm" fw={600}>
        Answer of the engine
      </Text>
      {read.isSuccess && found === null && (
        <Text size="sm">unknown: the call is running, its caller disconnected, or it is older than this record</Text>
      )}
      {found !== null && (
        <>
          <StatusBadge status={found.status} />
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {legible([found.provider, found.fault].filter((part) => part !== null).join(': '))}
          </Text>
        </>
      )}
      <Text size="xs" c="dimmed" w="100%">
        The status below is the decision's own: whether the call was let through.
      </Text>
    </Group>
  );
}

/** The beginning of the day, UTC, as the address has it. */
const today = (): string => `${new Date().toISOString().slice(0, 10)}T00:00:00Z`;

/** What auditors ask for most. */
function Presets() {
  const links = {
    'Refused today': `#audit/decisions?${new URLSearchParams({ outcome: 'refused', from: today() })}`,
    Today: `#audit/decisions?${new URLSearchParams({ from: today() })}`,
    'Secrets found': '#audit/detections',
    'Who changed what': '#audit/administration',
  };
  return (
    <Group gap="xs" role="group" aria-label="Presets">
      {Object.entries(links).map(([label, href]) => (
        <Button key={label} component="a" href={href} size="compact-sm" variant="light">
          {label}
        </Button>
      ))}
    </Group>
  );
}

export function Decisions() {
  return (
    <LogList<Decision>
      title="Decisions"
      about="Every decision, recorded before a byte goes to the provider. Requests and answers are not in it. Files exported here have no signatures. For a file that can be verified, use gatewayctl journal export."
      path="/api/audit/decisions"
      member="decisions"
      filterBy={{
        texts: {
          subject: 'Subject',
          resource: 'Resource',
          session: 'Session',
          requestId: 'Request id',
        },
        hidden: { sequence: whole },
        choices: {
          outcome: { label: 'Outcome', none: 'Any outcome', of: ['granted', 'refused'] },
          reason: { label: 'Reason', none: 'Any reason', of: reasonNames(), nameOf: reasonLabel },
        },
        period: true,
        parts: ['subject', 'resource'],
      }}
      isExported
      presets={<Presets />}
      usual="-at"
      rowKey={({ id }) => id}
      minWidth={960}
      empty={['No decision yet', 'The first call, granted or refused, makes the first entry.']}
      columns={[
        { title: '#', cell: ({ sequence }) => sequence },
        WHEN,
        SUBJECT,
        { title: 'Resource', sort: 'resource', cell: ({ resource: name }) => <Found name={name} by="resource" /> },
        { title: 'Outcome', sort: 'outcome', cell: (entry) => <Outcome of={entry.outcome} /> },
        {
          title: 'Reason',
          sort: 'reason',
          cell: ({ reason }) => (
            <Text size="sm" miw={100} title={reason}>
              {reasonLabel(reason)}
            </Text>
          ),
        },
        SESSION,
        {
          title: 'Entry',
          align: 'actions',
          cell: (entry) => (
            <Details
              title={`Decision ${entry.sequence}`}
              entry={entry}
              link={`audit/decisions?sequence=${entry.sequence}`}
              proof={`/api/audit/proof?chain=decisions&sequence=${entry.sequence}`}
              about={
                <>
                  <Explained decision={entry} />
                  <Upstream decision={entry} />
                </>
              }
            />
          ),
        },
      ]}
    />
  );
}

export function Detections() {
  return (
    <LogList<Detection>
      title="Secrets found"
      about="Secrets detected in requests, answers and command output. The value is not stored; equal digests are equal values."
      path="/api/audit/detections"
      member="detections"
      filterBy={{
        texts: { kind: 'Kind' },
        choices: { place: { label: 'Place', none: 'Any place', of: ['request', 'answer', 'output'] } },
        hidden: { id: identifier },
        period: true,
        parts: ['kind'],
      }}
      isExported
      usual="-at"
      rowKey={({ id }) => id}
      minWidth={900}
      empty={['Nothing found', 'Possible secrets in calls appear here, each with the place where it was found.']}
      columns={[
        WHEN,
        SUBJECT,
        { title: 'Resource', sort: 'resource', cell: ({ resource }) => <Found name={resource} by="resource" /> },
        { title: 'Kind', sort: 'kind', cell: ({ kind }) => kind },
        {
          title: 'Where',
          sort: 'place',
          cell: ({ place: found, pointer }) => (
            <>
              <Text size="sm">{found}</Text>
              {pointer !== null && (
                <Text size="xs" c="dimmed" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
                  {legible(pointer)}
                </Text>
              )}
            </>
          ),
        },
        { title: 'Response', sort: 'response', cell: ({ response }) => <Outcome of={response} /> },
        {
          title: 'Entry',
          align: 'actions',
          cell: (entry) => (
            <Details
              title={`${entry.kind}, ${entry.id.slice(-6)}`}
              entry={entry}
              link={`audit/detections?id=${entry.id}`}
            />
          ),
        },
      ]}
    />
  );
}
