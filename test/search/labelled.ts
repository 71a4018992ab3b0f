// Our own labelled requests: small made-up servers and what a model might ask them for, by kind of
// difficulty. Used by the tests and printed by `bench/search.ts`.
import type { Tool } from "../../lib/catalog/catalog.ts";

export interface LabelledQuery {
  readonly catalog: keyof typeof CATALOGS;
  readonly query: string;
  /** Any of these is a right first hit. */
  readonly relevant: readonly string[];
  readonly kind: string;
}

function tool(name: string, description: string, parameters: Record<string, string> = {}): Tool {
  const properties = Object.fromEntries(
    Object.entries(parameters).map(([key, text]) => [key, { type: "string", description: text }]),
  );
  return { name, description, inputSchema: { type: "object", properties } };
}

const REPO = { owner: "Login of the owner", repo: "Name of the repository" };

export const CATALOGS = {
  forge: [
    tool("create_ticket", "Open a new ticket in the tracker.", { title: "Headline", body: "Text" }),
    tool("get_ticket", "Read one ticket with its comments.", { number: "Ticket number" }),
    tool("list_tickets", "List tickets, newest first.", { state: "open or closed" }),
    tool("update_ticket", "Change title, text or state of a ticket.", { number: "Ticket number" }),
    tool("close_ticket", "Close a ticket.", { number: "Ticket number" }),
    tool("add_ticket_comment", "Comment on a ticket.", { number: "Ticket number", body: "Text" }),
    tool("assign_ticket", "Make somebody responsible for a ticket.", { assignee: "Login name" }),
    tool("create_branch", "Create a branch from a commit.", { ...REPO, sha: "Where it begins" }),
    tool("delete_branch", "Remove a branch for good.", REPO),
    tool("list_branches", "List the branches of a repository.", REPO),
    tool("create_pull_request", "Ask for changes to be merged.", {
      ...REPO,
      head: "Source branch",
    }),
    tool("merge_pull_request", "Merge a pull request.", { ...REPO, method: "squash or rebase" }),
    tool("get_pull_request_diff", "The changes a pull request makes, as a patch.", REPO),
    tool("list_commits", "Commits of a branch.", { ...REPO, since: "Only newer ones" }),
    tool("get_file_contents", "Read a file or a folder of a repository.", { path: "Where it is" }),
    tool("put_file", "Create or update a single file.", { path: "Where it is", content: "Text" }),
    tool("fork_repository", "Copy a repository into another account.", REPO),
    tool("search_code", "Search in the code of all repositories.", { q: "Search terms" }),
    tool("search_users", "Find people by name or place.", { q: "Search terms" }),
    tool("run_workflow", "Start a workflow.", { ...REPO, workflow: "File name" }),
    tool("cancel_workflow_run", "Stop a run that is under way.", { run: "Run number" }),
    tool("download_workflow_logs", "Get the log archive of a run.", { run: "Run number" }),
    tool("list_webhooks", "Webhooks of a repository.", REPO),
    tool("create_release", "Publish a release with notes.", { tag: "Version tag" }),
  ],
  cloud: [
    tool("compute.instances.insert", "Creates a virtual machine.", { zone: "Where to put it" }),
    tool("compute.instances.delete", "Deletes a virtual machine.", { zone: "Where it is" }),
    tool("compute.instances.get", "Returns one virtual machine.", { zone: "Where it is" }),
    tool("compute.instances.list", "Returns the virtual machines of a zone.", { zone: "Which" }),
    tool("compute.instances.stop", "Shuts a virtual machine down.", { zone: "Where it is" }),
    tool("compute.instances.start", "Boots a virtual machine.", { zone: "Where it is" }),
    tool("compute.disks.resize", "Makes a disk larger.", { sizeGb: "New size in gigabytes" }),
    tool("compute.snapshots.insert", "Takes a snapshot of a disk.", { disk: "Source disk" }),
    tool("storage.buckets.list", "Returns the buckets of a project.", { project: "Project id" }),
    tool("storage.buckets.insert", "Creates a bucket.", { location: "Region of the bucket" }),
    tool("storage.objects.upload", "Stores an object in a bucket.", { bucket: "Target" }),
    tool("storage.objects.get", "Downloads an object.", { bucket: "Source" }),
    tool("sql.databases.insert", "Creates a database on a server.", { server: "Server name" }),
    tool("sql.databases.list", "Returns the databases of a server.", { server: "Server name" }),
    tool("sql.backups.restore", "Restores a database from a backup.", { backup: "Backup id" }),
    tool("dns.records.list", "Returns the records of a zone.", { ttl: "Time to live in seconds" }),
    tool("dns.records.patch", "Changes a record of a zone.", { ttl: "Time to live in seconds" }),
    tool("iam.roles.grant", "Gives a member a role.", { member: "Who", role: "Which role" }),
    tool("iam.roles.revoke", "Takes a role from a member.", { member: "Who", role: "Which role" }),
    tool("billing.costs.query", "What was spent, by service and day.", { currency: "ISO code" }),
    tool("monitoring.alerts.list", "Returns alerts that fire now.", { severity: "info to fatal" }),
    tool("monitoring.metrics.query", "Returns a time series.", { metric: "cpu, memory, requests" }),
  ],
  office: [
    tool("sendMail", "Sends a message to one or more people.", {
      to: "Addresses",
      subject: "Line",
    }),
    tool("searchMail", "Finds messages in the mailbox.", { from: "Sender", folder: "Where" }),
    tool("replyToMail", "Answers a message.", { messageId: "Which message", body: "Text" }),
    tool("markAsSpam", "Moves a message to junk.", { messageId: "Which message" }),
    tool("createCalendarEvent", "Puts an appointment into the calendar.", {
      start: "When it begins",
      attendees: "Who is invited",
    }),
    tool("listCalendarEvents", "Appointments between two days.", { from: "First day", to: "Last" }),
    tool("cancelCalendarEvent", "Calls an appointment off.", { eventId: "Which one" }),
    tool("findFreeSlots", "When all of some people have time.", { people: "Who" }),
    tool("createContact", "Saves a person in the address book.", { phone: "Telephone number" }),
    tool("uploadFile", "Stores a file in the drive.", { folder: "Where to" }),
    tool("downloadFile", "Fetches a file from the drive.", { fileId: "Which file" }),
    tool("shareFile", "Gives others access to a file.", {
      fileId: "Which",
      permission: "view, edit",
    }),
    tool("renameFile", "Gives a file another name.", { fileId: "Which file", name: "New name" }),
    tool("createSpreadsheet", "Makes an empty table document.", { title: "Its name" }),
    tool("appendRows", "Adds rows at the end of a sheet.", { range: "A1 notation" }),
    tool("readRange", "Values of some cells.", { range: "A1 notation" }),
    tool("createInvoice", "Writes a bill for a customer.", { dueDate: "When to pay" }),
    tool("listInvoices", "Bills, with what is unpaid first.", { customer: "Whose" }),
    tool("recordPayment", "Notes that a bill was paid.", { invoice: "Which bill", amount: "Sum" }),
    tool("translateText", "Puts a text into another language.", { target: "Language code" }),
    tool("convertCurrency", "What an amount is in other money.", { from: "ISO code", to: "ISO" }),
    tool("getWeather", "Forecast for a place.", { city: "Where" }),
    tool("setReminder", "Tells you about something later.", { when: "Date and time" }),
  ],
} as const satisfies Record<string, readonly Tool[]>;

type Row = readonly [kind: string, query: string, ...relevant: string[]];

const FORGE: readonly Row[] = [
  ["keywords", "create ticket", "create_ticket"],
  ["keywords", "list branches", "list_branches"],
  ["keywords", "search code", "search_code"],
  ["keywords", "workflow logs", "download_workflow_logs"],
  ["phrase", "read the contents of a file", "get_file_contents"],
  ["phrase", "show me all open tickets", "list_tickets"],
  ["phrase", "I want to start a workflow on the main branch", "run_workflow"],
  ["phrase", "How do I close a ticket that is done?", "close_ticket"],
  ["phrase", "what did the pull request change", "get_pull_request_diff"],
  ["synonym", "erase a branch", "delete_branch"],
  ["synonym", "make a new issue", "create_ticket"],
  ["synonym", "duplicate a repo", "fork_repository"],
  ["synonym", "abort the run", "cancel_workflow_run"],
  ["synonym", "edit a bug report", "update_ticket"],
  ["synonym", "publish a new version", "create_release"],
  ["abbreviation", "merge PR", "merge_pull_request"],
  ["abbreviation", "open a PR", "create_pull_request"],
  ["typo", "merge pul requst", "merge_pull_request"],
  ["typo", "serach users", "search_users"],
  ["typo", "list comits", "list_commits"],
  ["spelling", "web hooks of a repository", "list_webhooks"],
  ["spelling", "createTicket", "create_ticket"],
  ["inflection", "deleting branches", "delete_branch"],
  ["inflection", "assigned tickets", "assign_ticket"],
  ["parameter", "who is the assignee", "assign_ticket"],
  ["language", "创建分支", "create_branch"],
  ["language", "ブランチを削除する", "delete_branch"],
  ["language", "Kommentar zu einem Ticket hinzufügen", "add_ticket_comment"],
  ["language", "buscar usuarios", "search_users"],
  ["language", "브랜치 목록", "list_branches"],
  ["language", "fusionner une pull request", "merge_pull_request"],
  ["language", "создать ветку", "create_branch"],
];

const CLOUD: readonly Row[] = [
  ["keywords", "list databases", "sql.databases.list"],
  ["keywords", "virtual machine delete", "compute.instances.delete"],
  ["keywords", "restore backup", "sql.backups.restore"],
  ["phrase", "Show me the virtual machines in zone eu-1", "compute.instances.list"],
  ["phrase", "What did we spend by service last month?", "billing.costs.query"],
  ["phrase", "which alerts are firing right now", "monitoring.alerts.list"],
  ["phrase", "upload an object to a bucket", "storage.objects.upload"],
  ["phrase", "details of a single virtual machine web-3", "compute.instances.get"],
  ["synonym", "provision: create an instance", "compute.instances.insert"],
  ["synonym", "turn off an instance", "compute.instances.stop"],
  ["synonym", "remove a role from a member", "iam.roles.revoke"],
  ["synonym", "modify a dns record", "dns.records.patch"],
  ["abbreviation", "new vm", "compute.instances.insert"],
  ["abbreviation", "create db", "sql.databases.insert"],
  ["typo", "resize dsik", "compute.disks.resize"],
  ["typo", "stroage buckets", "storage.buckets.list", "storage.buckets.insert"],
  ["spelling", "snap shot of a disk", "compute.snapshots.insert"],
  ["parameter", "memory usage over time", "monitoring.metrics.query"],
  ["parameter", "time to live of a record", "dns.records.list", "dns.records.patch"],
  ["language", "virtuelle Maschine löschen: delete instance", "compute.instances.delete"],
  ["language", "列出数据库", "sql.databases.list"],
];

const OFFICE: readonly Row[] = [
  ["keywords", "send mail", "sendMail"],
  ["keywords", "free slots", "findFreeSlots"],
  ["phrase", "put the meeting with Ana into my calendar", "createCalendarEvent"],
  ["phrase", "When do Tom and Eva both have time?", "findFreeSlots"],
  ["phrase", "which bills are unpaid", "listInvoices"],
  ["phrase", "how much is 100 euro in yen, convert the currency", "convertCurrency"],
  ["phrase", "will it rain in Oslo? I need the forecast", "getWeather"],
  ["phrase", "give a colleague access to a file", "shareFile"],
  ["synonym", "email somebody", "sendMail"],
  ["synonym", "look up messages", "searchMail"],
  ["synonym", "call off the appointment", "cancelCalendarEvent"],
  ["synonym", "save a contact", "createContact"],
  ["synonym", "retrieve a document from the drive", "downloadFile"],
  ["typo", "recieve weahter", "getWeather"],
  ["typo", "creat invoce", "createInvoice"],
  ["spelling", "share_file", "shareFile"],
  ["spelling", "spread sheet", "createSpreadsheet"],
  ["inflection", "renaming files", "renameFile"],
  ["parameter", "attendees", "createCalendarEvent"],
  ["parameter", "telephone number", "createContact"],
  [
    "long",
    "I am planning my week. Could you list the appointments I have between Monday and Friday?",
    "listCalendarEvents",
  ],
  [
    "long",
    "Our customer has paid. Please record the payment of 300 for the bill.",
    "recordPayment",
  ],
  ["language", "请翻译这段文字", "translateText"],
  ["language", "Rechnung erstellen", "createInvoice"],
  ["language", "télécharger un fichier vers le drive: upload", "uploadFile"],
  ["language", "天気を教えて", "getWeather"],
  ["language", "메일 보내기", "sendMail"],
];

function rows(catalog: LabelledQuery["catalog"], list: readonly Row[]): LabelledQuery[] {
  return list.map(([kind, query, ...relevant]) => ({ catalog, kind, query, relevant }));
}

export const LABELLED: readonly LabelledQuery[] = [
  ...rows("forge", FORGE),
  ...rows("cloud", CLOUD),
  ...rows("office", OFFICE),
];
