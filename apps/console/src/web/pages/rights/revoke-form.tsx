import { Alert, Checkbox, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDebouncedValue } from '@mantine/hooks';
import type { ChangeCall } from '../../api/change.tsx';
import { listPath } from '../../api/list.ts';
import type { KnownSubject } from '../../api/objects.ts';
import { useRead } from '../../api/request.ts';
import { FormModal } from '../../ui/form-modal.tsx';
import type { Dialog } from '../../ui/layer.tsx';

/** Whether this instance knows a name: by an account, a role or a project. Null while that is not known of this very name. */
function useKnown(subject: string): boolean | null {
  const [asked] = useDebouncedValue(subject, 250);
  const name = asked.trim();
  const { data, isPlaceholderData, isSuccess } = useRead<{ subjects: readonly KnownSubject[] }>(
    name === '' ? null : listPath('/api/subjects', { subject: name }),
  );
  if (name === '' || asked !== subject || !isSuccess || isPlaceholderData) return null;
  return data.subjects.length > 0;
}

/** Revokes a subject by name. An unknown name is most often a typing error: revoking it requires a confirmation. */
export function RevokeForm(dialog: Dialog) {
  const form = useForm({
    initialValues: { subject: '', reason: '', unknown: false },
    validate: {
      unknown: (accepted, { subject }) =>
        known === true || accepted
          ? null
          : known === null
            ? `${subject} is still being looked up. Try again in a moment.`
            : `Check the name, or confirm that you mean it.`,
    },
  });
  const { subject } = form.values;
  const known = useKnown(subject);
  return (
    <FormModal
      {...dialog}
      title="Revoke a subject"
      submit="Revoke"
      color="red.9"
      form={form}
      change={(values) => ({
        ...revocationOf(values),
        ...(known === true ? {} : { done: `${values.subject} would be refused; this name is unknown until now.` }),
      })}
    >
      <Text size="sm">{REVOKES}</Text>
      <TextInput
        label="Subject"
        description="A username, or the subject that the identity provider knows."
        required
        data-autofocus
        {...form.getInputProps('subject')}
      />
      {known === false && (
        <Alert color="yellow" variant="light" role="status" title={`Nobody is known as “${subject}”`}>
          <Text size="sm" mb="xs">
            No account, role or project has this name. Check the spelling, capital letters too.
          </Text>
          <Checkbox
            label="Revoke it anyway: the name may appear later."
            {...form.getInputProps('unknown', { type: 'checkbox' })}
          />
        </Alert>
      )}
      {known === null && form.errors['unknown'] !== undefined && (
        <Text size="sm" c="red">
          {form.errors['unknown']}
        </Text>
      )}
      <TextInput label="Reason, kept in the log" required maxLength={300} {...form.getInputProps('reason')} />
    </FormModal>
  );
}

/** The effects of a revocation, for the confirmation dialog. */
export const REVOKES =
  'Refused everywhere from the next call on, with any roles and keys, and running agent commands are stopped. It can be lifted again here, or under Audit, Revoked subjects.';

/** Refuses a subject everywhere. */
export const revocationOf = ({ subject, reason }: { subject: string; reason: string }): ChangeCall => ({
  method: 'POST',
  path: '/api/subject-revocations',
  body: { subject, reason },
  done: `${subject} is refused from the next call on.`,
  undo: ({ id }: { id: string }) => liftOf({ id, subject, reason: 'undone at once' }),
});

/** Lifts a revocation. What else refuses the subject is not changed by it. */
export const liftOf = ({ id, subject, reason }: { id: string; subject: string; reason: string }): ChangeCall => ({
  method: 'POST',
  path: `/api/subject-revocations/${id}/lift`,
  body: { reason },
  done: `The revocation of ${subject} is lifted.`,
});
