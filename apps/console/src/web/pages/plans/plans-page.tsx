import { Button, Group, NumberInput, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useList } from '../../api/list.ts';
import type { Plan } from '../../api/objects.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { FormModal } from '../../ui/form-modal.tsx';
import { Named } from '../../ui/named.tsx';
import { euros } from '../../ui/prices.ts';
import { Section } from '../../ui/section.tsx';
import { useDialog } from '../../ui/use-dialog.ts';

/** What an account may spend in a calendar month. */
export function PlansPage() {
  const plans = useList<Plan>('/api/plans', 'plans');
  const [opened, { open, close }] = useDisclosure(false);
  return (
    <Section
      title="Plans"
      about="A monthly cap in euros, counted for each subject over the calendar month in UTC. An account without a plan is refused."
      actions={<Button onClick={open}>Create a plan</Button>}
    >
      <PlanForm opened={opened} close={close} plan={null} />
      <DataTable
        label="Plans"
        list={plans}
        rowKey={({ id }) => id}
        empty={
          <>
            <Text fw={600}>No plan yet</Text>
            <Text size="sm" c="dimmed">
              Nobody can call before a plan exists and is given to an account.
            </Text>
            <Button variant="light" onClick={open}>
              Create the first plan
            </Button>
          </>
        }
        columns={[
          { title: 'Name', cell: ({ name, slug }) => <Named name={name} slug={slug} /> },
          {
            title: 'Monthly cap',
            align: 'right',
            cell: ({ monthlyCap }) => <Text size="sm">{monthlyCap === null ? 'no cap' : euros(monthlyCap)}</Text>,
          },
          {
            title: 'Actions',
            align: 'actions',
            cell: (plan) => (
              <Group gap={4} justify="flex-end" wrap="nowrap">
                <EditPlan plan={plan} />
                <Confirm
                  label="Delete"
                  title={`Delete plan ${plan.name}`}
                  consequence="A plan that an account still has cannot be deleted."
                  change={() => ({
                    method: 'DELETE',
                    path: `/api/plans/${plan.id}`,
                    done: `Plan ${plan.name} deleted.`,
                  })}
                />
              </Group>
            ),
          },
        ]}
      />
    </Section>
  );
}

function EditPlan({ plan }: { plan: Plan }) {
  const { opened, made, open, close } = useDialog();
  // Each time it opens, the form begins from the plan as it is then.
  const [times, setTimes] = useState(0);
  return (
    <>
      <Button
        size="compact-sm"
        variant="subtle"
        onClick={() => (setTimes(times + 1), open())}
        aria-label={`Edit plan ${plan.name}`}
      >
        Edit
      </Button>
      {made && <PlanForm key={times} opened={opened} close={close} plan={plan} />}
    </>
  );
}

function PlanForm({ opened, close, plan }: { opened: boolean; close: () => void; plan: Plan | null }) {
  const form = useForm({
    initialValues: { name: plan?.name ?? '', slug: plan?.slug ?? '', cap: String(plan?.monthlyCap ?? '') },
    validate: { cap: (cap) => (cap !== '' && Number(cap) < 0 ? 'A cap is 0 or more.' : null) },
  });
  const body = ({ name, slug, cap }: { name: string; slug: string; cap: string }) => ({
    name,
    slug,
    monthlyCap: cap === '' ? null : Number(cap),
  });
  /** What was changed here alone: the rest may have been changed by somebody else meanwhile. */
  const changes = (values: typeof form.values) => {
    const { name, slug, monthlyCap } = body(values);
    return {
      ...(form.isDirty('name') ? { name } : {}),
      ...(form.isDirty('slug') ? { slug } : {}),
      ...(form.isDirty('cap') ? { monthlyCap } : {}),
    };
  };
  return (
    <FormModal
      opened={opened}
      close={close}
      title={plan === null ? 'Create a plan' : `Edit plan ${plan.name}`}
      submit={plan === null ? 'Create' : 'Save'}
      form={form}
      change={(values) =>
        plan === null
          ? { method: 'POST', path: '/api/plans', body: body(values), done: `Plan ${values.name} created.` }
          : {
              method: 'PATCH',
              path: `/api/plans/${plan.id}`,
              body: changes(values),
              done: `Plan ${values.name} saved. It holds from the next call on.`,
            }
      }
    >
      <TextInput label="Name" required data-autofocus {...form.getInputProps('name')} />
      <TextInput label="Slug" description="Its identifier." required {...form.getInputProps('slug')} />
      <NumberInput
        label="Monthly cap"
        description="Euros. Empty means no cap."
        min={0}
        decimalScale={6}
        suffix=" €"
        value={form.values.cap}
        error={form.errors['cap'] ?? form.errors['monthlyCap']}
        onChange={(cap) => form.setFieldValue('cap', String(cap))}
      />
    </FormModal>
  );
}
