import { legible } from '@gateway/contract/legible';
import { Badge, Group } from '@mantine/core';
import type { KeyVariableReport } from '../../api/objects.ts';
import { useRead } from '../../api/read.ts';
import { Clamped } from '../../ui/named.tsx';
import { inWords } from '../../ui/time.tsx';

/** Gateways that are named at most. */
const MOST_NAMED = 3;

/** What the gateways report of one variable. */
interface Reported {
  readonly present: readonly KeyVariableReport[];
  readonly absent: readonly KeyVariableReport[];
}

/** The reports that name a variable: those in force; the old ones where there are no others. */
function reportsOf(name: string, reports: readonly KeyVariableReport[]): Reported & { readonly isOld: boolean } {
  const among = (isOld: boolean): Reported => {
    const some = reports.filter((report) => report.isOld === isOld);
    return {
      present: some.filter(({ present }) => present.includes(name)),
      absent: some.filter(({ absent }) => absent.includes(name)),
    };
  };
  const now = among(false);
  if (now.present.length + now.absent.length > 0) return { ...now, isOld: false };
  return { ...among(true), isOld: true };
}

const namesOf = (reports: readonly KeyVariableReport[]): string => {
  const names = reports.slice(0, MOST_NAMED).map(({ gateway }) => legible(gateway));
  const more = reports.length - names.length;
  return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
};

/** Whether the gateways have the variable of a key, as they report it: its name, never its value. @param isShort in one line */
export function KeyVariable({ name, isShort = false }: { name: string; isShort?: boolean }) {
  const { data } = useRead<{ reports: readonly KeyVariableReport[] }>('/api/providers/key-variables');
  if (name === '' || data === undefined) return null;
  const { present, absent, isOld } = reportsOf(name, data.reports);
  const [latest] = [...absent, ...present];
  const isMissing = absent.length > 0;
  const sentences = [
    ...(isMissing ? [`Missing in the environment of ${namesOf(absent)}.`] : []),
    ...(latest !== undefined && isOld ? [`Last report: ${inWords(new Date(latest.reportedAt))} UTC.`] : []),
    ...(latest === undefined ? ['No gateway has reported this variable yet.'] : []),
  ];
  return (
    <Group gap={6} wrap={isShort ? 'nowrap' : 'wrap'} data-testid="key variable">
      {latest !== undefined && (
        <Badge size="xs" color={isOld ? 'gray' : isMissing ? 'red' : 'teal'} variant="light" style={{ flexShrink: 0 }}>
          {isMissing ? 'not set' : 'set'}
        </Badge>
      )}
      {sentences.length > 0 && (
        <Clamped size="xs" c={isMissing && !isOld ? 'var(--mantine-color-error)' : 'dimmed'} lines={isShort ? 1 : 9}>
          {sentences.join(' ')}
        </Clamped>
      )}
    </Group>
  );
}
