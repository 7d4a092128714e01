//! The loop over the messages of the editor.
//!
//! Invariant: requests are answered in the order in which they come, except those that wait for a plan. A message never
//! ends the loop: a request that fails gets an error as its answer.
//!
//! ```text
//! change, change, hover   ⇒   one analysis, the answer to hover, then the diagnostics
//! ```

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::time::Duration;

use arrc_syntax::json::{Value, from_value, json, to_value};
use crossbeam_channel::{after, never, select};
use gen_lsp_types as lsp;
use gen_lsp_types::{
    DidChangeTextDocumentParams, DidChangeWatchedFilesParams, DidCloseTextDocumentParams,
    DidOpenTextDocumentParams, InitializeParams, TextDocumentPositionParams, Uri,
};
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};

use crate::Host;
use crate::analysis::Analysis;
use crate::documents::Document;
use crate::paths::path_of;
use crate::plans::{Job, Plan, Planner};
use crate::requests;
use crate::requests::diagnostics::FoundDiagnostics;
use crate::workspace::Workspace;

/// How long the editor has to be silent before the whole compiler looks at the open texts.
const SILENCE: Duration = Duration::from_millis(150);

/// How the server has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Served {
    /// The editor has said that it ends.
    Ended,
    /// The editor has closed the connection without saying so.
    Lost,
}

/// Serves the editor at the other ends of standard input and output.
///
/// # Errors
/// If the connection fails.
pub fn serve(host: Host) -> io::Result<Served> {
    let (connection, threads) = Connection::stdio();
    let served = serve_on(host, connection);
    // The thread that reads may wait for input that never comes.
    if served == Served::Ended {
        threads.join()?;
    }
    Ok(served)
}

/// Serves the editor at the other end of a connection.
#[must_use]
pub fn serve_on(host: Host, connection: Connection) -> Served {
    let Ok((id, params)) = connection.initialize_start() else { return Served::Lost };
    let params: InitializeParams = from_value(params).unwrap_or_default();
    let answer = json!({
        "capabilities": requests::capabilities(),
        "serverInfo": {"name": "arrc", "version": host.version},
    });
    if connection.initialize_finish(id, answer).is_err() {
        return Served::Lost;
    }
    Server::new(host, connection, &params).run()
}

/// The state of the server.
pub(crate) struct Server {
    connection: Connection,
    /// The open texts.
    pub(crate) workspace: Workspace,
    planner: Planner,
    /// The plans of open texts, by path.
    plans: BTreeMap<String, Rc<Plan>>,
    /// Requests that wait for plans, with the paths.
    waiting: Vec<(String, Request)>,
    /// The open texts whose diagnostics are to be told.
    untold: BTreeSet<String>,
    /// The open texts that the whole compiler is to look at.
    unplanned: BTreeSet<String>,
    /// The diagnostics that were told.
    told: FoundDiagnostics,
    /// Whether the editor wants to hear that inlay hints and lenses have changed.
    refreshes: bool,
    /// Whether the editor can tell of changes of files.
    watches: bool,
    /// The number of the next request to the editor.
    next_request: i32,
    is_ending: bool,
}

/// Why a request has no result yet.
#[derive(Debug)]
pub(crate) enum Refusal {
    /// What the editor asks for is wrong. The user sees why.
    Wrong(String),
    /// The plan of the text at this path is needed.
    Later(String),
}

/// What a request gets.
type Answer = Result<Value, Refusal>;

impl Server {
    fn new(host: Host, connection: Connection, params: &InitializeParams) -> Self {
        Self {
            connection,
            workspace: Workspace::new(host, folders(params)),
            planner: Planner::new(host),
            plans: BTreeMap::new(),
            waiting: Vec::new(),
            untold: BTreeSet::new(),
            unplanned: BTreeSet::new(),
            told: FoundDiagnostics::default(),
            refreshes: wants_refreshes(params),
            watches: can_watch(params),
            next_request: 0,
            is_ending: false,
        }
    }

    fn run(mut self) -> Served {
        loop {
            let silence = if self.unplanned.is_empty() { never() } else { after(SILENCE) };
            let messages = self.connection.receiver.clone();
            let plans = self.planner.found.clone();
            select! {
                recv(messages) -> message => {
                    let Ok(message) = message else { return Served::Lost };
                    let rest = messages.try_iter();
                    let all: VecDeque<Message> = std::iter::once(message).chain(rest).collect();
                    if let Some(served) = self.messages(all) {
                        return served;
                    }
                    self.tell();
                }
                recv(plans) -> plan => {
                    if let Ok(plan) = plan {
                        self.arrived(plan);
                    }
                }
                recv(silence) -> _ => self.ask_for_plans(),
            }
        }
    }

    /// Handles all messages that have come.
    fn messages(&mut self, mut all: VecDeque<Message>) -> Option<Served> {
        while let Some(message) = all.pop_front() {
            match message {
                Message::Request(request) => {
                    if is_cancelled(&request.id, &all) {
                        let code = ErrorCode::RequestCanceled;
                        self.fail(request.id, code, "the editor has cancelled it");
                    } else {
                        self.request(request);
                    }
                }
                Message::Notification(told) if told.method == "exit" => {
                    return Some(if self.is_ending { Served::Ended } else { Served::Lost });
                }
                Message::Notification(told) => self.notification(told),
                Message::Response(_) => {}
            }
        }
        None
    }

    fn request(&mut self, request: Request) {
        if self.is_ending {
            self.fail(request.id, ErrorCode::InvalidRequest, "the server is ending");
            return;
        }
        if request.method == "shutdown" {
            self.is_ending = true;
            self.send(Response::new_ok(request.id, ()));
            return;
        }
        let answered = catch_unwind(AssertUnwindSafe(|| requests::answer(self, &request)));
        let id = request.id.clone();
        match answered {
            Ok(Some(Ok(value))) => self.send(Response::new_ok(id, value)),
            Ok(Some(Err(Refusal::Wrong(why)))) => self.fail(id, ErrorCode::RequestFailed, &why),
            Ok(Some(Err(Refusal::Later(path)))) => self.waiting.push((path, request)),
            Ok(None) => self.fail(id, ErrorCode::MethodNotFound, "arrc does not know this request"),
            Err(_) => self.fail(id, ErrorCode::InternalError, "arrc has a bug there"),
        }
    }

    fn notification(&mut self, told: Notification) {
        match told.method.as_str() {
            "textDocument/didOpen" => {
                let Ok(params) = from_value::<DidOpenTextDocumentParams>(told.params) else {
                    return;
                };
                let of = params.text_document;
                let (path, text) = (path_of(&of.uri), of.text.into());
                let document = Document { uri: of.uri, version: of.version, text };
                self.workspace.documents.insert(path.clone(), document);
                self.changed(&path);
            }
            "textDocument/didChange" => {
                let Ok(params) = from_value::<DidChangeTextDocumentParams>(told.params) else {
                    return;
                };
                let of = params.text_document;
                let path = path_of(&of.text_document_identifier.uri);
                if let Some(document) = self.workspace.documents.get_mut(&path) {
                    document.change(of.version, params.content_changes);
                    self.changed(&path);
                }
            }
            "textDocument/didClose" => {
                let Ok(params) = from_value::<DidCloseTextDocumentParams>(told.params) else {
                    return;
                };
                self.close(&path_of(&params.text_document.uri));
            }
            "workspace/didChangeWatchedFiles" => {
                let params = from_value::<DidChangeWatchedFilesParams>(told.params);
                for change in params.into_iter().flat_map(|params| params.changes) {
                    self.changed(&path_of(&change.uri));
                }
            }
            "workspace/didChangeWorkspaceFolders" => {
                let params = from_value::<lsp::DidChangeWorkspaceFoldersParams>(told.params);
                let Ok(lsp::DidChangeWorkspaceFoldersParams { event }) = params else { return };
                let removed: Vec<String> =
                    event.removed.iter().map(|folder| path_of(&folder.uri)).collect();
                let folders = &mut self.workspace.folders;
                folders.retain(|folder| !removed.contains(folder));
                folders.extend(event.added.iter().map(|folder| path_of(&folder.uri)));
            }
            "initialized" => self.watch(),
            _ => {}
        }
    }

    fn close(&mut self, path: &str) {
        let Some(document) = self.workspace.documents.remove(path) else { return };
        self.changed(path);
        for forgotten in [&mut self.untold, &mut self.unplanned] {
            forgotten.remove(path);
        }
        self.plans.remove(path);
        self.planner.forget(path);
        for (uri, found) in self.told.close(path, document.uri) {
            self.publish(uri, None, found);
        }
    }

    /// Notes that the text at a path has changed.
    fn changed(&mut self, path: &str) {
        for root in self.workspace.changed(path) {
            self.plans.remove(&root);
            let (stale, waiting) =
                std::mem::take(&mut self.waiting).into_iter().partition(|(of, _)| *of == root);
            self.waiting = waiting;
            let stale: Vec<(String, Request)> = stale;
            for (_, request) in stale {
                self.fail(request.id, ErrorCode::ContentModified, "the text has changed");
            }
            self.untold.insert(root.clone());
            self.unplanned.insert(root);
        }
    }

    /// Tells the diagnostics of all texts that have changed.
    pub(crate) fn tell(&mut self) {
        for path in std::mem::take(&mut self.untold) {
            self.tell_of(&path);
        }
    }

    fn tell_of(&mut self, path: &str) {
        if self.workspace.shelf.has(path) {
            return;
        }
        let Some(analysis) = self.workspace.analysis(path) else { return };
        let plan = self.plan(&analysis);
        let found = match plan.as_ref().and_then(|plan| Some((plan, plan.diagnostics.as_ref()?))) {
            Some((plan, found)) => {
                requests::diagnostics::of(&mut self.workspace, &analysis, &plan.sources, found)
            }
            None => {
                let found = &analysis.typed.diagnostics;
                requests::diagnostics::of(&mut self.workspace, &analysis, &analysis.sources, found)
            }
        };
        for (file, found) in self.told.tell(path, found, &self.workspace.documents) {
            let document = self.workspace.documents.get(&file);
            let version = document.map(|document| document.version);
            let uri = self.workspace.uri_of(&file);
            self.publish(uri, version, found);
        }
    }

    fn publish(&self, uri: Uri, version: Option<i32>, diagnostics: Vec<lsp::Diagnostic>) {
        let params = lsp::PublishDiagnosticsParams { uri, version, diagnostics };
        let method = "textDocument/publishDiagnostics".to_owned();
        self.send(Notification::new(method, params));
    }

    /// Asks for the plans of all texts that have changed.
    fn ask_for_plans(&mut self) {
        for path in std::mem::take(&mut self.unplanned) {
            if let Some(analysis) = self.workspace.analysis(&path) {
                self.ask_for_plan(&analysis);
            }
        }
    }

    fn ask_for_plan(&mut self, analysis: &Analysis) {
        if self.is_checked(analysis) {
            let (path, stamp) = (analysis.path.clone(), analysis.stamp);
            self.planner.ask(Job { path, stamp, texts: self.workspace.texts() });
        }
    }

    /// Takes a plan, tells what it has found, and answers the requests that wait for it.
    fn arrived(&mut self, plan: Plan) {
        self.planner.arrived();
        let path = plan.path.clone();
        let is_current = self.workspace.analyses.get(&path).map(|known| known.stamp);
        if is_current != Some(plan.stamp) {
            return;
        }
        self.plans.insert(path.clone(), Rc::new(plan));
        self.tell_of(&path);
        let (ready, waiting): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.waiting).into_iter().partition(|(of, _)| *of == path);
        self.waiting = waiting;
        for (_, request) in ready {
            self.request(request);
        }
        if self.refreshes {
            self.ask_editor("workspace/inlayHint/refresh", Value::Null);
        }
    }

    /// The plan of a text, if it is there.
    pub(crate) fn plan(&self, analysis: &Analysis) -> Option<Rc<Plan>> {
        let plan = self.plans.get(&analysis.path);
        plan.filter(|plan| plan.stamp == analysis.stamp).cloned()
    }

    /// Whether a text is one that the whole compiler looks at: it is open, and the user's.
    fn is_checked(&self, analysis: &Analysis) -> bool {
        let is_open = self.workspace.documents.contains_key(&analysis.path);
        is_open && !self.workspace.shelf.has(&analysis.path)
    }

    /// The plan of a text; none if the text has errors, or if it is not open.
    pub(crate) fn plan_or_later(
        &mut self,
        analysis: &Analysis,
    ) -> Result<Option<Rc<Plan>>, Refusal> {
        if runs(analysis) { self.checked_or_later(analysis) } else { Ok(None) }
    }

    /// What the whole compiler finds in a text; none if the text is not open.
    pub(crate) fn checked_or_later(
        &mut self,
        analysis: &Analysis,
    ) -> Result<Option<Rc<Plan>>, Refusal> {
        if let Some(plan) = self.plan(analysis) {
            return Ok(Some(plan));
        }
        if !self.is_checked(analysis) {
            return Ok(None);
        }
        self.unplanned.remove(&analysis.path);
        self.ask_for_plan(analysis);
        Err(Refusal::Later(analysis.path.clone()))
    }

    /// The analysis of the text that a request is about, and the byte.
    pub(crate) fn at(&mut self, place: &TextDocumentPositionParams) -> Option<(Rc<Analysis>, u32)> {
        let analysis = self.workspace.analysis(&path_of(&place.text_document.uri))?;
        let byte = analysis.byte(place.position);
        Some((analysis, byte))
    }

    /// Whether the editor asks for hints again when a plan is there.
    pub(crate) fn refreshes(&self) -> bool {
        self.refreshes
    }

    /// The numbers of things that are kept, for tests.
    pub(crate) fn kept(&self) -> Value {
        json!({
            "documents": self.workspace.documents.len(),
            "analyses": self.workspace.analyses.len(),
            "plans": self.plans.len(),
            "waiting": self.waiting.len(),
            "told": self.told.len(),
        })
    }

    /// Asks the editor to tell of changes of programs outside of it.
    fn watch(&mut self) {
        let watchers = [json!({"globPattern": "**/*.arr"}), json!({"globPattern": "**/*.fut"})];
        let options = json!({"watchers": watchers});
        let method = "workspace/didChangeWatchedFiles";
        let registration = json!({"id": "files", "method": method, "registerOptions": options});
        if self.watches {
            let params = json!({"registrations": [registration]});
            self.ask_editor("client/registerCapability", params);
        }
    }

    fn ask_editor(&mut self, method: &str, params: Value) {
        self.next_request += 1;
        let id = RequestId::from(self.next_request);
        self.send(Request { id, method: method.to_owned(), params });
    }

    fn fail(&self, id: RequestId, code: ErrorCode, why: &str) {
        self.send(Response::new_err(id, code as i32, why.to_owned()));
    }

    /// Sends a message. If the editor is gone, the next message that it would send says so.
    fn send(&self, message: impl Into<Message>) {
        let _ = self.connection.sender.send(message.into());
    }
}

/// Runs the handler of a kind of request.
pub(crate) fn answered<R: lsp::Request>(
    server: &mut Server,
    request: &Request,
    handler: impl FnOnce(&mut Server, R::Params) -> Result<R::Result, Refusal>,
) -> Option<Answer> {
    let params = match from_value::<R::Params>(request.params.clone()) {
        Ok(params) => params,
        Err(error) => return Some(Err(Refusal::Wrong(error.to_string()))),
    };
    let result = handler(server, params);
    Some(result.map(|result| to_value(result).unwrap_or(Value::Null)))
}

/// Whether a program can be taken through the passes.
fn runs(analysis: &Analysis) -> bool {
    analysis.typed.core.is_some() && !analysis.typed.diagnostics.iter().any(is_error)
}

fn is_error(found: &arrc_syntax::diagnostics::Diagnostic) -> bool {
    found.severity == arrc_syntax::diagnostics::Severity::Error
}

/// Whether the editor has taken a request back, in a message behind it.
fn is_cancelled(id: &RequestId, behind: &VecDeque<Message>) -> bool {
    behind.iter().any(|message| match message {
        Message::Notification(told) if told.method == "$/cancelRequest" => {
            from_value::<RequestId>(told.params["id"].clone()).is_ok_and(|of| of == *id)
        }
        Message::Notification(_) | Message::Request(_) | Message::Response(_) => false,
    })
}

/// The folders that the editor has open.
fn folders(params: &InitializeParams) -> Vec<String> {
    let several = &params.workspace_folders_initialize_params.workspace_folders;
    let several: Vec<String> = match several {
        Some(lsp::WorkspaceFolders::WorkspaceFolderList(all)) => {
            all.iter().map(|folder| path_of(&folder.uri)).collect()
        }
        Some(lsp::WorkspaceFolders::Null) | None => Vec::new(),
    };
    #[allow(deprecated, reason = "older editors have no other word for it")]
    let one = params.root_uri.as_ref();
    if several.is_empty() { one.map(path_of).into_iter().collect() } else { several }
}

/// Whether the editor asks for inlay hints again when it is told to.
fn wants_refreshes(params: &InitializeParams) -> bool {
    let workspace = params.capabilities.workspace.as_ref();
    let hints = workspace.and_then(|workspace| workspace.inlay_hint.as_ref());
    hints.and_then(|hints| hints.refresh_support).unwrap_or(false)
}

/// Whether the editor tells of changes of files if it is asked to.
fn can_watch(params: &InitializeParams) -> bool {
    let workspace = params.capabilities.workspace.as_ref();
    let files = workspace.and_then(|workspace| workspace.did_change_watched_files.as_ref());
    files.and_then(|files| files.dynamic_registration).unwrap_or(false)
}
