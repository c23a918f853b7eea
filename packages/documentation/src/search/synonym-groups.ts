/**
 * Words that people use for one another in questions about software. A line is a group; a word may be in several. Only general
 * English and common technical terms belong here, no product's own terms.
 */
export const GROUPS = `
add append attach insert include put
remove delete drop erase discard purge prune clear clean evict
change modify edit alter adjust update
create make build generate construct produce
start launch begin spawn run boot execute
stop end halt terminate quit cancel abort interrupt kill
fetch retrieve obtain load download read
send submit post transmit deliver push
show display render view present output print
hide conceal mask
find search locate lookup query discover
list enumerate
save store persist keep kept
save persistence persist
cache memoize
restore recover resume continue
choose select pick
check verify validate confirm ensure
allow permit enable grant accept
deny refuse reject block forbid disallow restrict prevent
limit restrict cap maximum throttle quota bound ceiling
quota budget allowance cap ceiling
limit rate throttle
size large big long
fix repair correct solve resolve mend troubleshoot
break fail crash broken failure error
error exception fault problem issue failure bug
throw raise
catch handle
wrong invalid incorrect malformed bad
missing absent undefined lost
empty blank null
login signin authenticate authentication credential
sso login signin
login signin logon
logout signout
signup register registration
authentication auth authenticate
authorization authorize permission access
password secret credential
token key
identifier id identity uuid
unique distinct
name title label
employee employees staff colleague contractor intern
onboarding onboard newcomer
leave left leaver leavers offboarding departure
retain retained retention keep kept store
stolen steal theft lost
laptop notebook workstation computer machine
downtime outage interruption
user customer visitor person people account
company enterprise organization organisation corporate business
team group member department
admin administrator operator
environment env
variable var
parameter param argument arg
config configuration configure setting option preference
setup install installation configure
default standard preset
custom own customize bespoke
folder directory dir
file document
path route url
route routing endpoint
link url address uri
website site webpage page
picture image photo drawing
movie video film clip
sound audio voice speech
speak speech voice
transcribe transcription transcript
translate translation
text string
write compose author
talk chat conversation dialog dialogue
message mail
mail email
notify notification alert subscribe inform
event hook callback listener trigger
timer schedule cron
wait delay pause sleep
timeout deadline expire expiration expiry ttl
slow latency lag performance delay
fast quick speed performance
size length
number count amount quantity
similar similarity alike
same equal identical duplicate
repeat twice duplicate repeated
different difference distinguish compare comparison versus vs
compare comparison benchmark
old previous earlier former legacy outdated stale
new latest recent
upgrade migrate migration update
version release revision
revert rollback undo downgrade
history changelog revision
convert transform turn migrate
compress gzip compression deflate zip
encrypt encryption cipher tls
tls ssl https certificate
sign signature signed
hash digest checksum
random seed
test testing unit mock
fake mock stub simulate
debug troubleshoot inspect diagnose
log logging logger record trace audit
audit journal trail
trace tracing telemetry observability opentelemetry
monitor monitoring observability metrics
measure metric timing benchmark
health status alive
deploy deployment publish host hosting release
server backend
client frontend browser
local locally localhost
remote hosted online
offline disconnected isolated
proxy gateway
network internet
port socket
request call
response answer reply result
return yield respond
body payload content
header headers
status code
redirect forward
forward passthrough relay pass
stream streaming chunk
upload attachment multipart
download fetch
form input field
button click
component widget element
layout template
style css styling
page screen
table grid
database db sql postgres sqlite
backup restore snapshot dump
disaster recovery backup restore
schema type structure shape
json object structured
model llm
provider backend upstream vendor
think thinking reasoning reason
prompt instruction instructions
agent bot assistant chatbot
tool function
function method
subagent delegate
loop iterate iteration repeat step
parallel concurrent concurrently simultaneous simultaneously
async asynchronous
process subprocess child
thread worker
memory remember recall
context window
trim truncate shorten prune compact compaction
summarize summary compact
embed embedding vector
rank rerank order sort
price pricing cost billing charge pay
budget spending cost
free gratis
license licence
vulnerability security exploit attack malicious
malicious attack attacker untrusted
secure security safe safely protect protection hardening
protect guard secure prevent
sensitive secret private confidential
private internal
public open
forge forgery spoof
example sample demo
tutorial guide quickstart walkthrough introduction
overview introduction
documentation docs manual reference
learn understand explain
mean meaning definition
support compatible compatibility
require required mandatory
require requirement prerequisite
optional optionally
automatic automatically auto
manual manually
dynamic runtime
static prerender
share shared reuse
nested inside within
global whole entire everywhere
split separate divide modular
combine merge join compose
group namespace
extend extension plugin addon
library package module sdk
framework toolkit
template boilerplate scaffold starter
dependency package
command cli terminal shell
terminal console tty
language locale i18n internationalization
format formatting
parse parser decode
serialize encode stringify
escape sanitize
match matching pattern
replace substitute override
overwrite override
character letter symbol
first initial
last final
maximum max limit
minimum min
average mean
multiple several many
unauthorised unauthorized
authorise authorize
authorisation authorization
forgot forgotten lost
reset renew rotate
evidence proof prove proven
privacy gdpr erasure
runaway uncontrolled
approve approval confirm consent permission
propose proposal suggestion
suggest suggestion recommend recommendation
accept approve approved
contribute contributor contribution
maintainer maintain governance
register registration enroll
registry catalog catalogue directory
own owner ownership
progress status percentage
cancel cancellation abort
close closed disconnect
open opening
reload refresh
reconnect resume
connect connection connecting attach
retry retries
ask request prompt
mobile ios android phone
desktop computer machine
control operate manage
manage administer administration
assign attribute grant
role permission right
revoke revocation withdraw ban
cloud aws azure
amazon aws
google gcp
lambda serverless
container docker
kubernetes k8s
edge worker
websocket socket realtime
realtime live
hard effort difficult
deprecated obsolete removed
feature capability
capability capabilities support
rule policy
job task
queue background
background daemon
periodic schedule
ip address
cookie session
session conversation
origin domain host
extract extraction
insert inject injection
wrap wrapper middleware intercept
intercept interceptor middleware
month monthly
day daily
disable deactivate off
enable activate on
enable enabled active
suspend disable freeze
disconnect offline
leak expose disclosure
detect detection recognize recognise
tamper tampering manipulate alter
prove verify
integrity tamper chain
loadbalancer balancer balancing
replica standby replication failover
`;
