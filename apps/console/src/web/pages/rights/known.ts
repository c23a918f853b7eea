import { useDebouncedValue } from '@mantine/hooks';
import { listPath } from '../../api/list.ts';
import type { KnownSubject } from '../../api/objects.ts';
import { useRead } from '../../api/read.ts';

/** Whether this instance knows a name: by an account, a role or a project. Null while that is not known of this very name. */
export function useKnown(subject: string): boolean | null {
  const [asked] = useDebouncedValue(subject, 250);
  const name = asked.trim();
  const { data, isPlaceholderData, isSuccess } = useRead<{ subjects: readonly KnownSubject[] }>(
    name === '' ? null : listPath('/api/subjects', { subject: name }),
  );
  if (name === '' || asked !== subject || !isSuccess || isPlaceholderData) return null;
  return data.subjects.length > 0;
}
