import { Alert, Button, Group, Text } from '@mantine/core';
import { signInHere } from '../api/queries.ts';
import { ApiError } from '../api/request.ts';
import { inWords } from './time.tsx';

export interface FaultProps {
  readonly error: ApiError | null;
  readonly retry?: () => unknown;
  /** When the data still shown below was read (milliseconds since 1970), if there is any. */
  readonly since?: number;
}

/** A refusal or failure, said where it happened, with a way to try again where there is one. */
export function Fault({ error, retry, since }: FaultProps) {
  if (error === null) return null;
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
