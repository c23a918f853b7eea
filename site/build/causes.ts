import { type Cause, DATABASE, CAUSES as OF_VERDICTS } from '@gateway/contract/causes';

const BODY = 'Send the member with the type that the sentence names. The gateway adds no empty values.';

/** Every refusal by its code. A test compares this table with the table of sentences. */
export const CAUSES: Readonly<Record<string, Cause>> = {
  ...OF_VERDICTS,
  'malformed-request': [
    'The request breaks the rules of HTTP, so two parsers could read it differently.',
    'Correct the client or the proxy that sent it. The sentence names the fault.',
  ],
  'request-too-slow': [
    'The head or the body of the request did not arrive in time.',
    'Check the network between caller and gateway.',
  ],
  'expectation-unknown': ['The header Expect has another value than 100-continue.', 'Leave the header out.'],
  'too-many-headers': [
    'The request has too many headers, or headers that are too long.',
    'Remove headers that a proxy adds.',
  ],
  ending: [
    'The request came on an open connection to a gateway that is shutting down.',
    'Send it again on a new connection. The request was not relayed.',
  ],
  'method-not-served': [
    'The caller requested a tunnel (CONNECT) or another protocol (Upgrade).',
    'Use plain requests. WebSockets are not relayed.',
  ],
  'provider-key-missing': [
    'The variable that the provider names is absent from the environment of the gateway.',
    'Set the variable for the gateway and restart it. With npm start, use --env NAME=VALUE. The header x-gateway-fix says the same.',
  ],
  'provider-unreachable': [
    'The engine refused the connection, its certificate is not trusted, or its answer could not be read.',
    'The sentence has the cause. If a variable fixes it, the sentence names the variable, for example UPSTREAM_TLS_CA_FILE or HTTPS_PROXY.',
  ],
  'duration-cap': [
    'The answer did not begin within GATEWAY_REQUEST_TIMEOUT_SECONDS.',
    'Raise the cap, or check the engine.',
  ],
  'launcher-absent': [
    'GATEWAY_AGENT_LAUNCHER is not set, which is the default.',
    'Set GATEWAY_AGENT_LAUNCHER and GATEWAY_AGENT_WORKDIR.',
  ],
  'command-body': ['The body is not a JSON object.', BODY],
  'command-session': ['session is absent or empty.', BODY],
  'command-interpreter': ['interpreteur is absent or empty.', BODY],
  'command-arguments': ['arguments is not a list of strings.', BODY],
  'command-variables': ['variablesSupplementaires is not an object.', BODY],
  'command-variable': ['A value in variablesSupplementaires is not a string.', BODY],
  'command-variable-too-long': [
    'A name and its value in variablesSupplementaires are longer than 64 KiB together.',
    'Write the value to a file in the session, and pass its path.',
  ],
  'command-unknown': [
    'No running command of this subject has the identifier.',
    'The command has ended, or it belongs to another subject.',
  ],
  'commands-at-limit': ['GATEWAY_AGENT_MAX_COMMANDS commands are running.', 'Wait until one ends, or raise the limit.'],
  'subject-at-limit': [
    'The subject already runs the maximum number of commands.',
    'Wait until one ends, or interrupt it.',
  ],
  'license-not-presented': [
    'The workstation presents no valid license of this deployment.',
    'Configure the license of the deployment on the workstation.',
  ],
  'organization-unknown': [
    'GATEWAY_ORGANIZATION names an organization that the database does not know.',
    'Create it in the console or with gatewayctl organization create, or correct the slug.',
  ],
  'control-plane-unreadable': ['The database did not answer.', DATABASE],
  'acts-not-json': ['The body of the batch is not JSON.', 'Correct the program on the workstation.'],
  'acts-refused': [
    'An act of the batch is outside the allow-list; nothing of the batch was stored.',
    'The sentence names the act, counted from 1, and the reason.',
  ],
  'acts-not-stored': ['The database did not answer.', 'Send the batch again: it is stored once.'],
  'directory-not-configured': [
    'No identity provider is configured, or its configuration is not acceptable.',
    'Set OIDC_ISSUER and OIDC_CLIENT_ID.',
  ],
  'body-too-large': [
    'A body that the gateway reads itself is too large. Relayed bodies have no such limit.',
    'Send less.',
  ],
  'bodies-full': [
    'The request bodies in memory have reached GATEWAY_BODY_MEMORY_MIB.',
    'Send the request again soon. If this happens often, raise the variable or run more gateways.',
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
    'The path leaves the archive, escapes a slash, or is not valid UTF-8.',
    'Use the address from a link of the documentation.',
  ],
  'documentation-page': ['The archive has no such file, or the folder has no index page.', 'Begin at /v.'],
  'documentation-changing': ['A large file of the archive is being replaced.', 'Ask again in a few seconds.'],
  'search-absent': [
    'GATEWAY_DOCS_DIR is not set.',
    'Unpack a documentation archive and set the variable to its folder.',
  ],
  'search-corpus-absent': [
    'The archive has no llms-full.txt.',
    'Install an archive with this file. The pages are served meanwhile.',
  ],
  'search-read-only': ['Another method than GET or HEAD was used.', 'Use GET with q.'],
  'search-question-missing': ['q is absent or empty.', 'Ask with q.'],
  'search-question-too-long': ['The question is longer than 1,000 characters.', 'Ask in fewer words.'],
  'query-server-post-only': ['Another method than POST was used.', 'Send a message with POST, or use /v/_search.'],
  'query-server-body': [
    'The body is not a single JSON-RPC message.',
    'Send one message per request; batches are not supported.',
  ],
  'query-server-origin': [
    'A page of another origin sent the request.',
    'Send it from a program, or from a page of this gateway.',
  ],
  'cross-site': [
    'A page of another site sent the request, or a proxy in front of the console does not forward Host.',
    'Use the console itself. Behind a proxy, forward Host, or set CONSOLE_PUBLIC_URL.',
  ],
  'address-unknown': [
    'The console has no such address in this build.',
    'Hosted addresses are absent from the on-premise build.',
  ],
  'thing-unknown': ['No object has this identifier.', 'Read the list again.'],
  'thing-taken': ['The slug or name is taken.', 'Choose another.'],
  'thing-referred-to': ['Another object refers to this object.', 'Change or delete that first.'],
  'roles-exclude': [
    'One subject cannot hold an administration role and the auditor role.',
    'Remove one role before you grant the other.',
  ],
  'member-privileged': [
    'The member holds a role of the whole instance.',
    'Ask an instance administrator to change the account.',
  ],
  'member-disabled-by-instance': [
    'The account was disabled with gatewayctl, or under Users in the console.',
    'An instance administrator enables the account.',
  ],
  'header-repeated': ['A header that must be unique was given twice.', 'Correct the client or the proxy.'],
  'input-media-type': ['The body was not sent as application/json.', 'Set content-type.'],
  'input-too-large': ['The body is too large for the console.', 'Send less.'],
  'input-unreadable': ['The body is not a JSON object.', 'Correct the body.'],
  'input-faulty': ['A field has a wrong value.', 'The member fields of the answer names each field and its fault.'],
  'pages-absent': ['The console was built without its pages.', 'Run npm run build.'],
  'database-silent': [
    'The database did not answer in time; the change may have been made.',
    'Check what is stored before you try again.',
  ],
  'console-fault': ['The console has an internal error.', 'Read the cause on its error output.'],
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
    'Sign-in goes through the identity provider, and this browser has no session.',
    'Sign in at /auth/login.',
  ],
  'directory-silent': [
    'The console cannot use the identity provider.',
    'The console writes the cause to its error output, in a line with OIDC_ISSUER. Fix it and sign in again.',
  ],
  'sign-in-return': [
    'The return from the identity provider belongs to no sign-in of this browser.',
    'Begin again at /auth/login.',
  ],
  'sign-in-not-admitted': [
    'The identity provider knows the person, but this instance does not admit them.',
    'The account is disabled, or the subject is the name of a local account. Run gatewayctl account list to see both.',
  ],
  'sign-in-declined': [
    'The identity provider did not confirm the sign-in.',
    "Sign in again at /auth/login. The console writes the provider's message to its error output, such as invalid_client or invalid_scope.",
  ],
};
