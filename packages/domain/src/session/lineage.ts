/** Sessions above one that take it with them when they are revoked: reading them costs so many look-ups by index at most. */
const GENERATIONS = 32;

/**
 * The table `lineage (session)`: a session of a subject, and those it descends from. Each has one parent (workstation-11).
 * `lateral` and `limit`: a plan made while the table was empty would else read all sessions of the subject for each step.
 */
export const lineageOf = (subject: string, session: string): string => `recursive lineage (session, generation) as (
  select ${session}, 0
  union all
  select stated.parent_session, lineage.generation + 1
  from lineage cross join lateral (
    select parent_session from agent_session_lineage where subject = ${subject} and session = lineage.session limit 1
  ) stated
  where lineage.generation < ${GENERATIONS}
)`;

/** The subject of a session in a query without one: the first that named a parent for it. */
export const firstSubjectOf = (session: string): string =>
  `(select subject from agent_session_lineage where session = ${session} order by stated_at, subject limit 1)`;

/** The instant of the earliest revocation of a subject's session or any ancestor; null for none. */
export const revokedAt = (subject: string, session: string): string => `(
  with ${lineageOf(subject, session)}
  select min(revocation.revoked_at)
  from lineage join agent_session_revocations revocation on revocation.session = lineage.session
)`;

/** Subjects and their sessions that descend from a revoked one, over as many generations: found from the few revocations downwards. */
export const REVOKED_DESCENDANTS = `
  with recursive revoked (subject, session, generation) as (
    select stated.subject, stated.session, 1
    from agent_session_revocations revocation
    join agent_session_lineage stated on stated.parent_session = revocation.session
    union
    select stated.subject, stated.session, revoked.generation + 1
    from revoked
    join agent_session_lineage stated on stated.parent_session = revoked.session and stated.subject = revoked.subject
    where revoked.generation < ${GENERATIONS}
  )
  select subject, session from revoked`;
