/** The table `lineage (session)`: a session and all it descends from. A revocation of one of them revokes the session. */
export const lineageOf = (session: string): string => `recursive lineage (session) as (
  select ${session}
  union
  select parents.parent_session from lineage join agent_session_parents parents on parents.session = lineage.session
)`;

/** The instant of the earliest revocation among a session and all it descends from; null where there is none. */
export const revokedAt = (session: string): string => `(
  with ${lineageOf(session)}
  select min(revocation.revoked_at)
  from lineage join agent_session_revocations revocation on revocation.session = lineage.session
)`;
