import { namedPermission, roleLabel } from '@gateway/contract/labels';
import { type Permission, roleOf } from '@gateway/contract/roles';
import { Alert, Box, Button, Group, Text } from '@mantine/core';
import { type UseQueryResult, useIsFetching } from '@tanstack/react-query';
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { signInHere } from '../api/queries.ts';
import { ApiError } from '../api/request.ts';
import { inWords } from './time.tsx';

export interface FaultProps {
  readonly error: ApiError | null;
  readonly retry?: () => unknown;
  /** When the data still shown below was read (milliseconds since 1970), if there is any. */
  readonly since?: number | undefined;
  /** What could not be read, where it is only a part of its section. */
  readonly part?: string | undefined;
}

/** The title of the section around something; empty outside of all. */
export const SectionTitle = createContext('');

/** A failed read of a section, or of a part of it. */
interface FailedRead {
  readonly error: ApiError;
  readonly section: string;
  readonly part: string | undefined;
  readonly retry: () => unknown;
}

/** What a page says of its failed reads; null in a dialog, which covers the top of the page. */
const PageFaults = createContext<{
  /** The causes that it says at its top. */
  readonly said: readonly string[];
  /** Sections that failed as a whole, each with the cause: nothing is said of their parts. */
  readonly sections: readonly string[];
  readonly report: (id: string, failed: FailedRead | null) => void;
} | null>(null);

/** What two reads that failed for the same cause have in common, as far as a reader can tell. */
const causeOf = ({ status, down, message }: ApiError): string => JSON.stringify([status, down, message]);
const ofSection = (error: ApiError, section: string): string => `${causeOf(error)} ${section}`;

/** The failed reads by their causes, those of parts left out where the whole section failed for the same one. */
function causesOf(failed: readonly FailedRead[]) {
  const wholes = failed.filter(({ part }) => part === undefined);
  // What is outside of all sections is a part of all of them.
  const sections = wholes.flatMap(({ error, section }) => [ofSection(error, section), ofSection(error, '')]);
  const named = failed.filter(
    ({ error, section, part }) => part === undefined || !sections.includes(ofSection(error, section)),
  );
  const causes = Map.groupBy(named, ({ error }) => causeOf(error));
  return { sections, shared: new Map([...causes].filter(([, { length }]) => length > 1)) };
}

const sizeOf = (groups: ReadonlyMap<string, readonly FailedRead[]>): number =>
  [...groups.values()].reduce((sum, { length }) => sum + length, 0);

/** A page. Reads that fail for one cause are one message at its top, which names them all: a server that is away fails every read. */
export function FaultsOfPage({ children }: { children: ReactNode }) {
  const [failed, setFailed] = useState<ReadonlyMap<string, FailedRead>>(new Map());
  const report = useCallback(
    (id: string, one: FailedRead | null) =>
      setFailed((now) => {
        const next = new Map(now);
        if (one === null) next.delete(id);
        else next.set(id, one);
        return next;
      }),
    [],
  );
  const { sections, shared } = causesOf([...failed.values()]);
  // What is read again has no fault until it fails again: the message stays meanwhile, and the page below it does not move.
  const isReading = useIsFetching() > 0;
  const last = useRef(shared);
  if (!isReading || sizeOf(shared) >= sizeOf(last.current)) last.current = shared;
  const shown = last.current;
  const says = JSON.stringify({ said: [...shown.keys()], sections });
  const page = useMemo(
    () => ({ ...(JSON.parse(says) as { said: readonly string[]; sections: readonly string[] }), report }),
    [says, report],
  );
  return (
    <PageFaults value={page}>
      {[...shown].map(([cause, group]) => (
        <Box key={cause} mb="lg">
          <Message
            error={group[0]?.error ?? null}
            retry={() =>
              [...failed.values()].filter(({ error }) => causeOf(error) === cause).map(({ retry }) => retry())
            }
            parts={group.map(({ section, part = section }) => part)}
          />
        </Box>
      ))}
      {children}
    </PageFaults>
  );
}

/** A part of a page that says its faults itself: a dialog. */
export const WithOwnFaults = ({ children }: { children: ReactNode }) => (
  <PageFaults value={null}>{children}</PageFaults>
);

/** Reports a failed read to the page. @returns whether the page says it, or the section for its parts */
function useSaidElsewhere({ error, retry, part }: FaultProps): boolean {
  const page = useContext(PageFaults);
  const section = useContext(SectionTitle);
  const id = useId();
  const again = useRef(retry);
  again.current = retry;
  // Changes, and what another role reads, are said where they are.
  const failed = retry === undefined || error?.status === 403 ? null : error;
  const report = page?.report;
  useLayoutEffect(() => {
    if (failed === null || report === undefined) return undefined;
    report(id, { error: failed, section, part, retry: () => again.current?.() });
    return () => report(id, null);
  }, [failed, report, id, section, part]);
  if (failed === null || page === null) return false;
  const isOfSection = part !== undefined && page.sections.includes(ofSection(failed, section));
  return isOfSection || page.said.includes(causeOf(failed));
}

/** A refusal or failure, said where it happened, with a way to try again where there is one. */
export function Fault(props: FaultProps) {
  const { error, part, since, ...rest } = props;
  const isSaid = useSaidElsewhere(props);
  if (error === null) return null;
  if (!isSaid) return <Message {...rest} error={error} since={since} parts={part === undefined ? [] : [part]} />;
  // The message names a part of a section; of a whole one, nothing else would be shown.
  if (part !== undefined) return null;
  return (
    <Text size="sm" c="dimmed">
      {since === undefined
        ? 'Not read: see the message above.'
        : `The data below was read at ${inWords(new Date(since))} UTC.`}
    </Text>
  );
}

/** In place of something that another role does: the same as for what another role reads. */
export function NotPermitted({ permission }: { permission: Permission }) {
  return (
    <Alert color="gray" variant="light" title="No role of yours permits this">
      <Text size="sm">{`The role ${roleLabel(roleOf(permission))} carries ${namedPermission(permission)}.`}</Text>
    </Alert>
  );
}

/** What a page reads. */
export type Read = Pick<UseQueryResult<unknown, ApiError>, 'data' | 'error' | 'refetch' | 'dataUpdatedAt'>;

/**
 * The fault of reads that belong together: that of the first one, and all that failed are tried again. Of reads that only some roles
 * may do, a refusal is no fault.
 */
export function ReadFault({ of, part }: { of: readonly Read[]; part?: string }) {
  const failed = of.filter(({ error }) => error !== null && error.status !== 403);
  const [first] = failed;
  return (
    <Fault
      error={first?.error ?? null}
      retry={() => failed.map(({ refetch }) => refetch())}
      since={first?.data === undefined ? undefined : first.dataUpdatedAt}
      part={part}
    />
  );
}

/** @param parts what could not be read, each named once */
function Message({ error, retry, since, parts }: Omit<FaultProps, 'part'> & { readonly parts: readonly string[] }) {
  if (error === null) return null;
  // Sorted: reads end in another order each time.
  const names = [...new Set(parts)].filter((part) => part !== '').toSorted();
  // Something that another role reads is no failure: there is nothing to fix here, and nothing to try again.
  if (error.status === 403 && retry !== undefined)
    return (
      <Alert color="gray" variant="light" title="No role of yours reads this">
        <Text size="sm">{error.message}</Text>
      </Alert>
    );
  // Of a read, the service says only that it could not decide: the title has the cause.
  const unread = error.down === 'database' && retry !== undefined;
  return (
    <Alert color="red" variant="light" role="alert" title={titleOf(error)}>
      <Group justify="space-between" gap="md">
        <div style={{ flex: '1 1 200px' }}>
          <Text size="sm">
            {unread ? 'Nothing can be read or changed until it answers.' : error.message}
            {names.length > 0 && ` Not read: ${names.join(', ')}.`}
            {since !== undefined && ` The data below was read at ${inWords(new Date(since))} UTC.`}
          </Text>
          {retry !== undefined && (error.status === 503 || error.status === 0) && (
            <Text size="xs">
              It is tried again every 5 seconds.
              {error.down === 'database' && " The operator finds the cause on the console's error output."}
            </Text>
          )}
        </div>
        {error.status === 401 && (
          // In a new tab: the input here stays.
          <Button size="xs" variant="default" component="a" href={signInHere()} target="_blank">
            Sign in, in a new tab
          </Button>
        )}
        {retry !== undefined && (
          <Button size="xs" variant="default" onClick={() => retry()}>
            Try again
          </Button>
        )}
      </Group>
    </Alert>
  );
}

function titleOf({ status, down }: ApiError): string | undefined {
  if (down === 'database') return "The console's database does not answer";
  return status === 403 ? 'Not permitted' : undefined;
}

/**
 * The faults not shown beside the fields of these names: the whole refusal, or a note that fields need correction if all of its
 * sentences belong to one. The note is gone once all of them were corrected.
 * @param left the faults that the form still shows; absent where nobody knows
 */
export function withoutFields(
  error: ApiError | null,
  names: readonly string[],
  left?: Readonly<Record<string, unknown>>,
): ApiError | null {
  const fields = Object.keys(error?.fields ?? {});
  if (error === null || fields.length === 0 || !fields.every((name) => names.includes(name))) return error;
  if (error.status !== 400) return error;
  if (left !== undefined && !fields.some((name) => name in left)) return null;
  return new ApiError(
    error.status,
    fields.length === 1 ? 'One field needs correction.' : `${fields.length} fields need correction.`,
  );
}
