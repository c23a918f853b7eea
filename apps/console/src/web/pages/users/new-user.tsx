import { roleLabel } from '@gateway/contract/labels';
import { Select, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { FormModal } from '../../ui/form-modal.tsx';
import { KeyReveal } from '../../ui/key-reveal.tsx';
import { expiryAfter, Lifetime, NEVER } from '../../ui/lifetime.tsx';
import { type Choice, many } from '../../ui/many.ts';
import { FIRST_ROLE } from '../rights/role-choice.tsx';

export function NewUser({ opened, close, plans }: { opened: boolean; close: () => void; plans: readonly Choice[] }) {
  const [made, setMade] = useState<{ username: string; key: string } | null>(null);
  const form = useForm({ initialValues: { username: '', plan: '', role: FIRST_ROLE, lifetime: NEVER } });
  // The one plan there is to give: the first administrator's own has no cap, and is nobody's to give by a slip.
  const usual = plans.filter(({ label }) => label.toLowerCase() !== 'administrator');
  const plan = form.values.plan ?? '';
  const [isPicked, setIsPicked] = useState(false);
  const chosen = plan === '' && !isPicked && usual.length === 1 ? (usual[0]?.value ?? '') : plan;
  return (
    <>
      <KeyReveal of={made?.username ?? ''} secret={made?.key ?? null} close={() => setMade(null)} />
      <FormModal<typeof form.values, { username: string; key: string }>
        opened={opened}
        close={close}
        title="Create a user"
        submit="Create and show the key"
        form={form}
        change={({ username, role, lifetime }) => ({
          method: 'POST',
          path: '/api/users',
          body: {
            username,
            keyExpiresAt: expiryAfter(lifetime),
            ...(chosen === '' ? {} : { plan: chosen }),
            ...(role === '' ? {} : { role }),
          },
          done: `User ${username} created.`,
        })}
        onDone={setMade}
      >
        <TextInput
          label="Username"
          description="The subject that every decision and usage record names."
          required
          data-autofocus
          {...form.getInputProps('username')}
        />
        <Select
          label="Plan"
          description="Without one, every call is refused."
          placeholder="No plan"
          clearable
          allowDeselect={false}
          {...many(plans)}
          {...form.getInputProps('plan')}
          value={chosen || null}
          onChange={(next) => (setIsPicked(true), form.setFieldValue('plan', next ?? ''))}
        />
        <Select
          label="Role"
          description={
            form.values.role === '' ? 'Without one, every call is refused.' : 'More roles can be granted in the list.'
          }
          placeholder="No role"
          clearable
          allowDeselect={false}
          data={['utilisateur-standard', 'administrateur-d-instance', 'auditeur'].map((value) => ({
            value,
            label: roleLabel(value),
          }))}
          {...form.getInputProps('role')}
          value={form.values.role || null}
          onChange={(role) => form.setFieldValue('role', role ?? '')}
        />
        <Lifetime label="The key expires" w="100%" {...form.getInputProps('lifetime')} />
      </FormModal>
    </>
  );
}
