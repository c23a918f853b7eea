import { Button, Group, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { correction, deletion } from '../api/change.tsx';
import { useList } from '../api/list.ts';
import type { Plan } from '../api/objects.ts';
import { useOpened } from '../route/use-search-params.ts';
import { Confirm } from '../ui/confirm.tsx';
import { DataTable } from '../ui/data-table.tsx';
import { FormModal } from '../ui/form-modal.tsx';
import type { Dialog } from '../ui/layer.tsx';
import { Named } from '../ui/named.tsx';
import { euros } from '../ui/numbers.ts';
import { Edit, Section } from '../ui/section.tsx';
import { useEditing } from '../ui/use-editing.ts';
import { DecimalInput, faultOfDecimal, nameWithSlug, readDecimal } from '../ui/validated-form.tsx';

/** What an account may spend in a calendar month. */
export function PlansPage() {
  const plans = useList<Plan>('/api/plans', 'plans', {}, '');
  const [opened, { open, close }] = useOpened('plan');
  const { edited, edit } = useEditing<Plan>();
  return (
    <Section
      title="Plans"
      about="A monthly cap in euros, counted for each subject over the calendar month in UTC. An account without a plan is refused."
      actions={<Button onClick={open}>Create a plan</Button>}
      reading={plans.query}
    >
      <PlanForm opened={opened} close={close} plan={null} />
      {edited !== null && <PlanForm key={edited.opening} {...edited.dialog} plan={edited.thing} />}
      <DataTable
        label="Plans"
        list={plans}
        usual="slug"
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
          { title: 'Name', sort: 'name', cell: ({ name, slug }) => <Named name={name} slug={slug} /> },
          {
            title: 'Monthly cap',
            sort: 'monthlyCap',
            align: 'right',
            cell: ({ monthlyCap }) => (monthlyCap === null ? 'no cap' : euros(monthlyCap)),
          },
          {
            title: 'Alerts at',
            cell: ({ alertThresholds }) => (alertThresholds.length === 0 ? 'no alert' : percents(alertThresholds)),
          },
          {
            title: 'Actions',
            align: 'actions',
            cell: (plan) => (
              <Group gap={4} justify="flex-end" wrap="nowrap">
                <Edit of={`plan ${plan.name}`} open={() => edit(plan)} />
                <Confirm
                  label="Delete"
                  title={`Delete plan ${plan.name}`}
                  consequence="The plan is removed. A plan that an account still has cannot be deleted."
                  change={() => deletion(`Plan ${plan.name}`, '/api/plans', plan)}
                />
              </Group>
            ),
          },
        ]}
      />
    </Section>
  );
}

interface PlanValues {
  readonly name: string;
  readonly slug: string;
  /** Euros as typed; empty for no cap. */
  readonly monthlyCap: string;
  /** Percentages as typed. */
  readonly alertThresholds: string;
}

/** What a new plan proposes. */
const USUAL_THRESHOLDS = [80, 100];
const percents = (list: readonly number[]): string => list.map((one) => `${one} %`).join(', ');
/** Percentages of a text such as `80, 100 %`, rising, each once. */
const thresholdsOf = (text: string): readonly number[] => {
  const numbers = text.split(/[\s,;%]+/).filter((part) => part !== '');
  return [...new Set(numbers.map(Number))].toSorted((one, other) => one - other);
};

const bodyOf = ({ name, slug, monthlyCap, alertThresholds }: PlanValues) => ({
  name,
  slug,
  monthlyCap: monthlyCap === '' ? null : readDecimal(monthlyCap),
  alertThresholds: thresholdsOf(alertThresholds),
});

function PlanForm({ plan, ...dialog }: { plan: Plan | null } & Dialog) {
  const began = {
    name: plan?.name ?? '',
    slug: plan?.slug ?? '',
    monthlyCap: String(plan?.monthlyCap ?? ''),
    alertThresholds: percents(plan?.alertThresholds ?? USUAL_THRESHOLDS),
  };
  const form = useForm({
    initialValues: began,
    validate: {
      monthlyCap: faultOfDecimal,
      alertThresholds: (text) =>
        thresholdsOf(text).every((one) => Number.isInteger(one) && one >= 1 && one <= 100)
          ? null
          : 'Write whole percentages from 1 to 100, such as 80, 100.',
    },
  });
  return (
    <FormModal
      {...dialog}
      title={plan === null ? 'Create a plan' : `Edit plan ${plan.name}`}
      submit={plan === null ? 'Create' : 'Save'}
      form={form}
      change={(values) =>
        plan === null
          ? { method: 'POST', path: '/api/plans', body: bodyOf(values), done: `Plan ${values.name} created.` }
          : correction(`Plan ${values.name}`, `/api/plans/${plan.id}`, bodyOf(began), bodyOf(values))
      }
    >
      <TextInput
        label="Name"
        required
        data-autofocus
        {...form.getInputProps('name')}
        {...(plan === null ? nameWithSlug(form) : {})}
      />
      <TextInput label="Slug" description="Its identifier." required {...form.getInputProps('slug')} />
      <DecimalInput
        label="Monthly cap"
        description="Euros. Empty means no cap."
        rightSection="€"
        {...form.getInputProps('monthlyCap')}
      />
      <TextInput
        label="Alerts at"
        description="Percent of the cap. Each alerts once a month for each account: under Caps and in the log export. Empty means no alert."
        {...form.getInputProps('alertThresholds')}
      />
    </FormModal>
  );
}
