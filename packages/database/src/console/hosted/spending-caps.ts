import type { Queryable } from '../../connect.ts';
import { all, given } from '../conditions.ts';
import { limited, type Page, type Rows } from '../pages.ts';

/** How near an account is to its cap in the current UTC calendar month; euros (decisions §8). */
export interface SpendingCap {
  readonly id: string;
  readonly username: string;
  readonly plan: { readonly id: string; readonly slug: string; readonly name: string } | null;
  readonly monthlyCap: number | null;
  readonly spent: number;
  /** Spent ÷ cap; null where there is no cap. From 1 on the account is refused. */
  readonly share: number | null;
  /** Where it stands in the list: the share, -1 without a cap. Part of the key of a page. */
  readonly rank: number;
}

/** Accounts by how near they are to their cap, the nearest first, those without a cap last. */
export function listSpendingCaps(
  sql: Queryable,
  filter: { search: string | null; plan: string | null },
  page: Page<readonly [rank: number, username: string]>,
): Rows<SpendingCap> {
  const chosen = all(sql, [
    given(filter.search, (text) => sql`position(lower(${text}) in lower(account.username)) > 0`),
    given(filter.plan, (plan) => sql`account.plan_id = ${plan}`),
  ]);
  const after = all(sql, [
    given(
      page.after,
      ([rank, username]) => sql`(rank < ${rank}::float8 or (rank = ${rank}::float8 and username > ${username}))`,
    ),
  ]);
  return sql`
    select * from (
      select ranked.*, case when "monthlyCap" is null then null when "monthlyCap" = 0 then 1 else spent / "monthlyCap" end as share,
        case when "monthlyCap" is null then -1::float8 when "monthlyCap" = 0 then 1::float8 else spent / "monthlyCap" end as rank
      from (
        select account.id, account.username,
          case when plan.id is not null then json_build_object('id', plan.id, 'slug', plan.slug, 'name', plan.name) end as plan,
          plan.monthly_cap::float8 as "monthlyCap", coalesce(used.spent, 0)::float8 as spent
        from accounts account left join plans plan on plan.id = account.plan_id left join (
          select total.subject, sum(total.input_tokens * coalesce(price.per_input_token, 0)
            + total.output_tokens * coalesce(price.per_output_token, 0)) as spent
          from usage_totals total left join model_prices price on price.model_id = total.model_id
          where total.month = date_trunc('month', now() at time zone 'UTC')::date group by total.subject
        ) used on used.subject = account.username
        where ${chosen}
      ) ranked
    ) caps where ${after} order by rank desc, username ${limited(sql, page.limit)}`;
}
