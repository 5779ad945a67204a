-- Neovim 0.11 и новее читает этот файл, если включено 'exrc'; один раз он спросит,
-- можно ли файлу доверять.
vim.lsp.config('rulestore', {
  cmd = { 'rulestore', 'lsp' },
  filetypes = { 'yaml' },
  root_markers = { 'rulestore.yaml' },
})
vim.lsp.enable('rulestore')
