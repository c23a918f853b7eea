import { Select, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { FormModal } from '../../ui/form-modal.tsx';
import { KeyReveal } from '../../ui/key-reveal.tsx';
import { type Choice, many } from '../../ui/many.ts';

export function NewUser({ opened, close, plans }: { opened: boolean; close: () => void; plans: readonly Choice[] }) {
  const [made, setMade] = useState<{ username: string; key: string } | null>(null);
  const form = useForm({ initialValues: { username: '', plan: '' } });
  return (
    <>
      <KeyReveal of={made?.username ?? ''} secret={made?.key ?? null} close={() => setMade(null)} />
      <FormModal<typeof form.values, { username: string; key: string }>
        opened={opened}
        close={close}
        title="Create a user"
        submit="Create and show the key"
        form={form}
        change={({ username, plan }) => ({
          method: 'POST',
          path: '/api/users',
          body: { username, ...(plan === '' ? {} : { plan }) },
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
          {...many(plans)}
          {...form.getInputProps('plan')}
          value={form.values.plan || null}
          onChange={(plan) => form.setFieldValue('plan', plan ?? '')}
        />
        <Text size="sm" c="dimmed">
          It begins without a role: grant one in the list afterwards, or every call is refused.
        </Text>
      </FormModal>
    </>
  );
}
