/** Why a refusal comes, and what mends it. */
export type Cause = readonly [cause: string, mend: string];

const REFUSED_PROOF =
  'Present a valid key or token. The reason stands only in the decision log, where an auditor reads it by this code.';
const TOKEN =
  'The caller signs in at the directory again. An operator compares OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_AUDIENCE with the directory.';
const DATABASE =
  'The gateway says on its error output what is wrong with the database. Mend that; nothing was relayed, and the gateway serves again by itself.';
const BODY = 'Send the member in the shape that the sentence names. Nothing is completed with empty values.';

/** Every refusal by its code. A test holds this table against the table of sentences. */
export const CAUSES: Readonly<Record<string, Cause>> = {
  'malformed-request': [
    'The request breaks the rules of HTTP, so that two readers could understand it differently.',
    'Correct the client or the proxy that wrote it; the sentence names the fault.',
  ],
  'request-too-slow': [
    'Head or body of the request did not arrive in time.',
    'Look at the network between caller and gateway.',
  ],
  'expectation-unknown': ['The header Expect asks for something else than 100-continue.', 'Leave the header out.'],
  'too-many-headers': [
    'The request carries more headers, or longer ones, than any client needs.',
    'Remove headers that a proxy adds.',
  ],
  ending: [
    'The request came on an open connection to a gateway that was told to stop and only ends what runs.',
    'Send it again on a new connection. The request was not relayed.',
  ],
  'method-not-served': [
    'The caller asked to tunnel (CONNECT) or to change the protocol (Upgrade).',
    'Use plain requests. WebSockets are not relayed.',
  ],
  'credentials-missing': [
    'Neither Authorization nor x-api-key carries a value.',
    'Set the account key or a directory token in the client.',
  ],
  'key-unknown': [
    'No account has this key; or it is a token of the directory that is opaque or encrypted, which nobody but the directory can read.',
    `${REFUSED_PROOF} Of a directory, present the identity token.`,
  ],
  'key-revoked': ['The key was revoked or replaced by rotation.', 'An operator issues a new key.'],
  'account-disabled': ['The account is disabled.', 'An administrator enables the account.'],
  'token-malformed': ['The token cannot be read as a signed token.', TOKEN],
  'token-algorithm': [
    'The token is signed with an algorithm that is not on the allow-list.',
    'Let the directory sign with RS256, PS256, ES256, ES384 or EdDSA.',
  ],
  'token-signature': ['The signature does not fit any key that the directory publishes.', TOKEN],
  'token-issuer': ['The token comes from another issuer than OIDC_ISSUER.', TOKEN],
  'token-audience': [
    'The token was made for another audience than OIDC_AUDIENCE.',
    'Present the identity token, or set OIDC_AUDIENCE for the gateway to the audience that access tokens of this directory carry.',
  ],
  'token-expired': ['The token has expired, beyond the tolerance of 60 seconds.', 'The caller signs in again.'],
  'token-not-yet-valid': [
    'The token is not valid yet, beyond the tolerance of 60 seconds.',
    'Set the clocks of directory and gateway right.',
  ],
  'token-claims': [
    'A claim that must be there is absent or of another type; the entry in the decision log names it.',
    'Let the directory put it into the token, or name another claim for the subject with OIDC_SUBJECT_CLAIM.',
  ],
  'token-subject-is-local': [
    'The subject of the token equals the username of a local account. The two are never merged.',
    'Use another claim with OIDC_SUBJECT_CLAIM. In the hosted build the local account can be deleted instead.',
  ],
  'directory-absent': [
    'A token was presented and no directory is configured.',
    'Set OIDC_ISSUER and OIDC_CLIENT_ID, or use account keys.',
  ],
  'directory-unreachable': [
    'The directory gives no keys, and none are cached.',
    'The gateway says on its error output, in a line that begins with OIDC_ISSUER, what is wrong. Mend that; calls with account keys are served meanwhile.',
  ],
  'subject-revoked': [
    'An administrator revoked this subject.',
    'An administrator lifts the revocation: gatewayctl subject lift.',
  ],
  'session-revoked': [
    'The agent session, or one above it, was revoked.',
    'Begin a new session. The same person is served under another one.',
  ],
  'endpoint-unknown': [
    'The first segment of the path names no endpoint.',
    'Use one of the names in available, or declare the endpoint in the console.',
  ],
  'endpoint-disabled': ['The endpoint was disabled.', 'An administrator enables it in the console.'],
  'license-seats': [
    'As many subjects as the licence has seats were served this month already.',
    'Increase the seats. Subjects that were served this month still are.',
  ],
  'license-capability': ['The licence does not hold this capability.', 'Ask the vendor for a licence that does.'],
  'license-expired': [
    'The licence and its days of grace have passed.',
    'Install a renewed licence with GATEWAY_LICENSE or GATEWAY_LICENSE_FILE and start again.',
  ],
  'role-missing': [
    'No role of the subject carries inference:appeler.',
    'Grant it: gatewayctl grant SUBJECT utilisateur-standard AUTHOR.',
  ],
  'policy-forbids': [
    'A forbid policy of the authorization policy in force applies.',
    'The decision entry names the policy. Install another revision if it forbids too much.',
  ],
  'policy-error': [
    'The policy could not be evaluated for this call, which counts as forbidden.',
    'The decision entry names the policy. Correct it and install it again.',
  ],
  'plan-missing': ['No plan is attached to the account.', 'Attach a plan in the console.'],
  'cap-reached': [
    "The month's spending has reached the plan's cap.",
    'Raise the cap or attach another plan. The next month begins at zero.',
  ],
  'metering-unavailable': ['The usage tables do not answer.', DATABASE],
  'answer-unmetered': [
    'The engine answered and the usage record could not be written.',
    'Restore the database and call again. Nothing was billed.',
  ],
  undecided: ['Revocations, sessions, roles or the policy could not be read.', DATABASE],
  unrecorded: ['The approval could not be committed to the decision log.', DATABASE],
  'provider-key-missing': [
    'The variable that the provider names is absent from the environment of the gateway.',
    'Set the variable for the gateway and start it again.',
  ],
  'provider-unreachable': [
    'The engine did not take the connection, or its certificate was not accepted.',
    'The sentence names the variable to set, for example UPSTREAM_TLS_CA_FILE or HTTPS_PROXY.',
  ],
  'duration-cap': [
    'The answer did not begin within GATEWAY_REQUEST_TIMEOUT_SECONDS.',
    'Raise the cap, or look at the engine.',
  ],
  'secret-detected': [
    'The body carries what looks like a secret.',
    'Remove it. A value that is none goes on the allow list of the organization policy as its SHA-256 digest.',
  ],
  'secret-answered': [
    'The answer carries what looks like a secret.',
    'As above. The engine has been called; the answer was not served.',
  ],
  'execution-role-missing': ['No role of the subject carries execution:lancer.', 'Grant utilisateur-standard.'],
  'execution-policy-forbids': ['A forbid policy applies to running commands.', 'The decision entry names the policy.'],
  'execution-policy-error': [
    'The policy could not be evaluated for this command, which counts as forbidden.',
    'The decision entry names the policy. Correct it and install it again.',
  ],
  'execution-undecided': ['Revocations, roles or the policy could not be read.', DATABASE],
  'execution-unrecorded': ['The approval could not be committed, so the command was not started.', DATABASE],
  'launcher-absent': [
    'GATEWAY_AGENT_LAUNCHER is not set, which is the default.',
    'Set GATEWAY_AGENT_LAUNCHER and GATEWAY_AGENT_WORKDIR.',
  ],
  'command-body': ['The body is no JSON object.', BODY],
  'command-session': ['session is absent or empty.', BODY],
  'command-interpreter': ['interpreteur is absent or empty.', BODY],
  'command-arguments': ['arguments is no list of strings.', BODY],
  'command-variables': ['variablesSupplementaires is no object.', BODY],
  'command-variable': ['A value in variablesSupplementaires is no string.', BODY],
  'command-unknown': [
    'No running command of this subject has the identifier.',
    'The command has ended, or belongs to somebody else.',
  ],
  'commands-at-limit': ['GATEWAY_AGENT_MAX_COMMANDS commands run at once.', 'Wait until one ends, or raise the limit.'],
  'subject-at-limit': [
    'The subject runs as many commands as one subject may.',
    'Wait until one ends, or interrupt it.',
  ],
  'license-not-presented': [
    'The workstation presents no valid licence of this deployment.',
    'Configure the licence of the deployment on the workstation.',
  ],
  'organization-unknown': [
    'GATEWAY_ORGANIZATION names an organization that the database does not know.',
    'Create it in the console or with gatewayctl organization create, or correct the slug.',
  ],
  'control-plane-unreadable': ['The database did not answer.', DATABASE],
  'acts-not-json': ['The body of the batch is no JSON.', 'Correct the workstation.'],
  'acts-refused': [
    'An act of the batch is outside the allow-list; nothing of the batch was stored.',
    'The sentence names the act, counted from 1, and the reason.',
  ],
  'acts-not-stored': ['The database did not answer.', 'Send the batch again: it is stored once.'],
  'directory-not-configured': [
    'No directory is configured, or the configured one is not acceptable.',
    'Set OIDC_ISSUER and OIDC_CLIENT_ID.',
  ],
  'body-too-large': [
    'A body that this service reads itself is larger than it takes. Relayed bodies have no such limit.',
    'Send less.',
  ],
  'documentation-absent': [
    'GATEWAY_DOCS_DIR is not set.',
    'Unpack a documentation archive and set the variable to its folder.',
  ],
  'documentation-read-only': ['Another method than GET or HEAD was used under /v.', 'Use GET.'],
  'documentation-version': [
    'The address names another version than the installed one.',
    'Leave the version out: the gateway redirects to the installed one.',
  ],
  'documentation-path': [
    'The path climbs, escapes a slash, or is not valid UTF-8.',
    'Use the address as the documentation links it.',
  ],
  'documentation-page': ['The archive holds no such file, or the folder has no index page.', 'Begin at /v.'],
  'documentation-changing': ['A large file of the archive is being replaced.', 'Ask again in a few seconds.'],
  'search-absent': [
    'GATEWAY_DOCS_DIR is not set.',
    'Unpack a documentation archive and set the variable to its folder.',
  ],
  'search-corpus-absent': [
    'The archive holds no llms-full.txt.',
    'Install an archive that does. Its pages are served meanwhile.',
  ],
  'search-read-only': ['Another method than GET or HEAD was used.', 'Use GET with q.'],
  'search-question-missing': ['q is absent or empty.', 'Ask with q.'],
  'search-question-too-long': ['The question is longer than 1,000 characters.', 'Ask in fewer words.'],
  'query-server-post-only': ['Another method than POST was used.', 'Send a message with POST, or use /v/_search.'],
  'query-server-body': ['The body is no single JSON-RPC message.', 'Send one message a request; there are no batches.'],
  'query-server-origin': ['A page of another origin asked.', 'Ask from a program, or from a page of this gateway.'],
  'sign-in-hosted': [
    'The console got no proof, or a wrong one.',
    'Sign in with ADMIN_USER and ADMIN_PASS, or with an account key.',
  ],
  'sign-in-directory': [
    'The console is entered through the directory, and this browser has no session.',
    'Sign in at /auth/login.',
  ],
  'directory-silent': [
    'The console cannot use the directory.',
    'The console says on its error output, in a line that begins with OIDC_ISSUER, what is wrong. Mend that and sign in again.',
  ],
  'sign-in-return': [
    'The return from the directory belongs to no sign-in that this browser began.',
    'Begin again at /auth/login.',
  ],
  'sign-in-not-admitted': [
    'The directory knows the person, and this instance does not admit her.',
    'Her account is disabled, or her subject is the name of a local account: an operator sees both with gatewayctl account list.',
  ],
  'sign-in-declined': [
    'The directory did not confirm the sign-in.',
    'Begin again at /auth/login. The console says on its error output what the directory said, such as invalid_client or invalid_scope.',
  ],
  'cross-site': ['A page of another site sent the request.', 'Use the console itself.'],
  'permission-missing': [
    'No role of the subject carries the permission that the address needs.',
    'Grant the role that the sentence names, if the person should have it.',
  ],
  'shared-pair-only': ['The address belongs to the hosted operator alone.', 'Sign in with the shared pair.'],
  'address-unknown': [
    'The console has no such address in this build.',
    'Hosted addresses are absent from the on-premise build.',
  ],
  'thing-unknown': ['No object has this identifier.', 'Read the list again.'],
  'thing-taken': ['Slug or name is taken.', 'Choose another.'],
  'thing-referred-to': ['Something else refers to the object.', 'Change or delete that first.'],
  'roles-exclude': [
    'Administration and audit are never held by one subject.',
    'Remove one role before granting the other.',
  ],
  'member-privileged': [
    'The member holds a role of the whole instance.',
    'An instance administrator decides about the account.',
  ],
  'header-repeated': ['A header that decides something was given twice.', 'Correct the client or the proxy.'],
  'input-media-type': ['The body was not sent as application/json.', 'Set content-type.'],
  'input-too-large': ['The body is larger than the console takes.', 'Send less.'],
  'input-unreadable': ['The body is no JSON object.', 'Correct the body.'],
  'input-faulty': ['A field does not hold what it must.', 'fields in the answer says which, and why.'],
  'pages-absent': ['The console was built without its pages.', 'Run npm run build.'],
  'database-silent': [
    'The database did not answer in time; the change may have been made.',
    'Look at what is stored before trying again.',
  ],
  'console-fault': ['The console met a fault of its own.', 'Its error output says why.'],
};
