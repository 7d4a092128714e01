-- Drives Neovim's own client: opens a program with a mistake, and prints what the editor shows.
-- The environment variables ARRC and PROGRAM name the compiler and the program.
local compiler, program = vim.env.ARRC, vim.env.PROGRAM
local function say(name, text)
  io.stdout:write("== " .. name .. "\n" .. text .. "\n")
end

vim.cmd("edit " .. program)
local client = vim.lsp.start_client({ name = "arrc", cmd = { compiler, "lsp" }, root_dir = vim.fn.getcwd() })
vim.lsp.buf_attach_client(0, client)
local patience = 60000
assert(vim.wait(patience, function() return #vim.diagnostic.get(0) > 0 end, 20), "no diagnostics came")
for _, found in ipairs(vim.diagnostic.get(0)) do
  say("diagnostic", found.lnum .. ":" .. found.col .. " " .. found.code .. " " .. found.message)
end

local function ask(method, line, column, more)
  vim.api.nvim_win_set_cursor(0, { line, column })
  local params = vim.tbl_extend("force", vim.lsp.util.make_position_params(0, "utf-16"), more or {})
  local answers = assert(vim.lsp.buf_request_sync(0, method, params, patience))
  local answer = assert(answers[client], method .. " has an answer")
  local failed = answer.err or answer.error
  assert(not failed, vim.inspect(failed))
  return answer.result
end

say("hover", ask("textDocument/hover", 2, 4).contents.value)
local definition = ask("textDocument/definition", 3, 41)
say("definition", definition.range.start.line .. ":" .. definition.range.start.character)
local library = ask("textDocument/definition", 3, 36)
vim.lsp.util.jump_to_location(library, "utf-16")
say("library", vim.api.nvim_get_current_line())
vim.cmd("buffer 1")

local fixes = vim.lsp.buf_request_sync(0, "textDocument/codeAction", {
  textDocument = vim.lsp.util.make_text_document_params(),
  range = { start = { line = 3, character = 34 }, ["end"] = { line = 3, character = 40 } },
  context = { diagnostics = {} },
}, patience)[client].result
vim.lsp.util.apply_workspace_edit(fixes[1].edit, "utf-16")
assert(vim.wait(patience, function() return #vim.diagnostic.get(0) == 0 end, 20), "the mistake stays")
local edit = ask("textDocument/rename", 3, 5, { newName = "bigger" })
vim.lsp.util.apply_workspace_edit(edit, "utf-16")
say("text", table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n"))
vim.lsp.stop_client(client)
assert(vim.wait(patience, function() return vim.lsp.client_is_stopped(client) end, 20), "the server stays")
vim.cmd("qall!")
