/** The table `lineage (session)`: a session and all it descends from. A revocation of one of them revokes the session. */
export const lineageOf = (session: string): string => `recursive lineage (session) as (
  select ${session}
  union
  select parents.parent_session from lineage join agent_session_parents parents on parents.session = lineage.session
)`;

/** All sessions that are revoked, themselves or with one they descend from: found from the few revocations downwards. */
export const REVOKED_SESSIONS = `
  with recursive revoked (session) as (
    select session from agent_session_revocations
    union
    select parents.session from revoked join agent_session_parents parents on parents.parent_session = revoked.session
  )
  select session from revoked`;

/** The instant of the earliest revocation among a session and all it descends from; null where there is none. */
export const revokedAt = (session: string): string => `(
  with ${lineageOf(session)}
  select min(revocation.revoked_at)
  from lineage join agent_session_revocations revocation on revocation.session = lineage.session
)`;
