import { type Cause, DATABASE, CAUSES as OF_VERDICTS } from '@gateway/contract/causes';

const BODY = 'Send the member in the shape that the sentence names. Nothing is completed with empty values.';

/** Every refusal by its code. A test holds this table against the table of sentences. */
export const CAUSES: Readonly<Record<string, Cause>> = {
  ...OF_VERDICTS,
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
  'provider-key-missing': [
    'The variable that the provider names is absent from the environment of the gateway.',
    'Set the variable for the gateway and start it again, with npm start by --env NAME=VALUE. The header x-gateway-fix says so too.',
  ],
  'provider-unreachable': [
    'The engine did not take the connection, its certificate was not accepted, or its answer could not be read.',
    'The sentence says which. Where a variable fixes it, it names that, for example UPSTREAM_TLS_CA_FILE or HTTPS_PROXY.',
  ],
  'duration-cap': [
    'The answer did not begin within GATEWAY_REQUEST_TIMEOUT_SECONDS.',
    'Raise the cap, or look at the engine.',
  ],
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
  'bodies-full': [
    'The bodies that this gateway holds in memory have reached GATEWAY_BODY_MEMORY_MIB.',
    'Send the request again soon. An operator who sees this often raises the variable, or runs more gateways.',
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
  'cross-site': [
    'A page of another site sent the request; or a proxy before the console does not pass Host on.',
    'Use the console itself. Behind a proxy, pass Host on, or set CONSOLE_PUBLIC_URL.',
  ],
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
  'member-disabled-by-instance': [
    'The account was disabled with gatewayctl, or under Users in the console.',
    'An instance administrator enables the account.',
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
  'metering-unavailable': ['The usage tables do not answer.', DATABASE],
  'answer-unmetered': [
    'The engine answered and the usage record could not be written.',
    'Restore the database and call again. Nothing was billed.',
  ],
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
    'The console says on its error output, in a line with OIDC_ISSUER, what is wrong. Fix that and sign in again.',
  ],
  'sign-in-return': [
    'The return from the directory belongs to no sign-in that this browser began.',
    'Begin again at /auth/login.',
  ],
  'sign-in-not-admitted': [
    'The directory knows the person, and this instance does not admit them.',
    'Their account is disabled, or their subject is the name of a local account: an operator sees both with gatewayctl account list.',
  ],
  'sign-in-declined': [
    'The directory did not confirm the sign-in.',
    'Begin again at /auth/login. The console says on its error output what the directory said, such as invalid_client or invalid_scope.',
  ],
};
