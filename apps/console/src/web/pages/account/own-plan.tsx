import { Progress, Stack, Text } from '@mantine/core';
import { amount } from '../../ui/numbers.ts';
import { Section } from '../../ui/section.tsx';

interface Plan {
  readonly name: string;
  readonly monthlyCap: number | null;
  readonly spent: number;
}

/** The plan of the signed-in person, with the share of the cap that is used. */
export function OwnPlan({ plan }: { plan: unknown }) {
  if (plan === null || plan === undefined)
    return (
      <Section title="My plan">
        <Text size="sm">
          No plan is attached to your account: calls are refused until an administrator attaches one.
        </Text>
      </Section>
    );
  const { name, monthlyCap, spent } = plan as Plan;
  const share = monthlyCap === null ? null : monthlyCap === 0 ? 100 : Math.min(100, (spent / monthlyCap) * 100);
  return (
    <Section title="My plan" about="Spent in this month (UTC).">
      <Stack gap={6} maw={420}>
        <Text size="sm">
          {name}: {amount(spent)} {monthlyCap === null ? 'spent, without a cap' : `of ${amount(monthlyCap)}`}
        </Text>
        {share !== null && (
          <Progress
            value={share}
            color={share >= 100 ? 'red' : share >= 80 ? 'yellow' : 'indigo'}
            aria-label={`${Math.round(share)} % of the cap`}
          />
        )}
        {share === 100 && <Text size="sm">The cap is reached: calls are refused until the next month begins.</Text>}
      </Stack>
    </Section>
  );
}
