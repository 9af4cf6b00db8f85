// Written by npm run azure:generate.

@description('The app\'s settings that are no secrets and no connections. One left out has the standard value of docs/settings.md.')
@export()
type appSettings = {
  MAIL_FROM: string
  WRITE_VERSION: string?
  PROBLEM_PAGES_URL: string?
  ACCEPTANCE_SECONDS: string?
  EXPIRY_SECONDS: string?
  ANSWER_SECONDS: string?
  STILL_RUNNING_SECONDS: string?
  OUTCOME_SECONDS: string?
  DOUBT_SECONDS: string?
  CAPTURE_SECONDS: string?
  AUTHORIZATION_SECONDS: string?
  RETRY_VOID_SECONDS: string?
  ORDER_HORIZON_SECONDS: string?
  ACTION_SECONDS: string?
  DAY_TOTALS_SECONDS: string?
  DAY_GRACE_SECONDS: string?
  COMMIT_WINDOW_SECONDS: string?
  LEASE_SECONDS: string?
  OFFLINE_AFTER_SECONDS: string?
  HEARTBEAT_SECONDS: string?
}

@description('The named values of API Management that differ by environment.')
@export()
type environmentNamedValues = {
  'functions-url': string
  'consumer-web-origin': string
  'portal-origin': string
  'front-door-id': string
  'problem-pages-url': string
}

@description('What scales by itself: all HTTP functions together, and each worker.')
@export()
type scaleGroup = 'http' | 'function:terminal-messages' | 'function:webhook-deliveries' | 'function:webhook-retries' | 'function:deadlines' | 'function:access-tokens' | 'function:mails' | 'function:operator-alerts'
