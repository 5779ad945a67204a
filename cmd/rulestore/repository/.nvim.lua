-- Neovim 0.11 и новее читает этот файл, если включено 'exrc'; один раз он спросит,
-- можно ли файлу доверять. Поля подсказывает сервер YAML по форматам, которые
-- перечислены в .vscode/settings.json, остальное — rulestore.
vim.lsp.config('rulestore', {
  cmd = { 'rulestore', 'lsp' },
  filetypes = { 'yaml' },
  root_markers = { 'rulestore.yaml' },
})
local settings = vim.json.decode(table.concat(vim.fn.readfile('.vscode/settings.json'), '\n'))
vim.lsp.config('yamlls', {
  cmd = { 'yaml-language-server', '--stdio' },
  filetypes = { 'yaml' },
  root_markers = { 'rulestore.yaml' },
  settings = { yaml = { schemas = settings['yaml.schemas'], validate = false, format = { enable = false } } },
})
vim.lsp.enable({ 'rulestore', 'yamlls' })
