// Written by npm run azure:generate.

@export()
var globalPolicy = loadTextContent('../apim/global.xml')

@export()
var fragments = [
  { name: 'caller-address', xml: loadTextContent('../apim/fragments/caller-address.xml') }
  { name: 'json-body', xml: loadTextContent('../apim/fragments/json-body.xml') }
  { name: 'known-methods', xml: loadTextContent('../apim/fragments/known-methods.xml') }
  { name: 'limit-lists', xml: loadTextContent('../apim/fragments/limit-lists.xml') }
  { name: 'no-body', xml: loadTextContent('../apim/fragments/no-body.xml') }
  { name: 'problem-type', xml: loadTextContent('../apim/fragments/problem-type.xml') }
  { name: 'refuse-body-too-large', xml: loadTextContent('../apim/fragments/refuse-body-too-large.xml') }
  { name: 'refuse-dependency-unavailable', xml: loadTextContent('../apim/fragments/refuse-dependency-unavailable.xml') }
  { name: 'refuse-internal-error', xml: loadTextContent('../apim/fragments/refuse-internal-error.xml') }
  { name: 'refuse-invalid-credentials', xml: loadTextContent('../apim/fragments/refuse-invalid-credentials.xml') }
  { name: 'refuse-method-not-allowed', xml: loadTextContent('../apim/fragments/refuse-method-not-allowed.xml') }
  { name: 'refuse-not-found', xml: loadTextContent('../apim/fragments/refuse-not-found.xml') }
  { name: 'refuse-rate-limited', xml: loadTextContent('../apim/fragments/refuse-rate-limited.xml') }
  { name: 'refuse-unsupported-media-type', xml: loadTextContent('../apim/fragments/refuse-unsupported-media-type.xml') }
  { name: 'reported-body', xml: loadTextContent('../apim/fragments/reported-body.xml') }
  { name: 'unreadable-headers', xml: loadTextContent('../apim/fragments/unreadable-headers.xml') }
]

@export()
var apis = [
  {
    id: 'landing-page-request'
    title: 'Consumer Web API: Landing Page Request'
    path: 'landing-page-request'
    subscriptionRequired: false
    document: string(loadJsonContent('../apim/openapi/landing-page-request.json'))
    xml: loadTextContent('../apim/apis/landing-page-request.xml')
    operations: [
      { name: 'landing-page-request', xml: loadTextContent('../apim/policies/landing-page-request.xml') }
    ]
  }
  {
    id: 'landing-page'
    title: 'Consumer Web API: Get Landing Page'
    path: 'landing-page'
    subscriptionRequired: false
    document: string(loadJsonContent('../apim/openapi/landing-page.json'))
    xml: loadTextContent('../apim/apis/landing-page.xml')
    operations: [
      { name: 'get-landing-page', xml: loadTextContent('../apim/policies/get-landing-page.xml') }
    ]
  }
  {
    id: 'partners'
    title: 'Partners API'
    path: ''
    subscriptionRequired: true
    document: string(loadJsonContent('../apim/openapi/partners.json'))
    xml: loadTextContent('../apim/apis/partners.xml')
    operations: [
      { name: 'pos-payment-request', xml: loadTextContent('../apim/policies/pos-payment-request.xml') }
      { name: 'pos-payment-cancel', xml: loadTextContent('../apim/policies/pos-payment-cancel.xml') }
      { name: 'pos-payment-capture', xml: loadTextContent('../apim/policies/pos-payment-capture.xml') }
      { name: 'pos-payment-refund', xml: loadTextContent('../apim/policies/pos-payment-refund.xml') }
      { name: 'pos-payment', xml: loadTextContent('../apim/policies/pos-payment.xml') }
      { name: 'pos-payment-timeline', xml: loadTextContent('../apim/policies/pos-payment-timeline.xml') }
      { name: 'pos-payment-receipts', xml: loadTextContent('../apim/policies/pos-payment-receipts.xml') }
      { name: 'pos-payments', xml: loadTextContent('../apim/policies/pos-payments.xml') }
      { name: 'add-discount', xml: loadTextContent('../apim/policies/add-discount.xml') }
      { name: 'events', xml: loadTextContent('../apim/policies/events.xml') }
      { name: 'webhook-test', xml: loadTextContent('../apim/policies/webhook-test.xml') }
      { name: 'point-of-services', xml: loadTextContent('../apim/policies/point-of-services.xml') }
      { name: 'pos-status', xml: loadTextContent('../apim/policies/pos-status.xml') }
      { name: 'pos-day', xml: loadTextContent('../apim/policies/pos-day.xml') }
      { name: 'set-pos-status', xml: loadTextContent('../apim/policies/set-pos-status.xml') }
      { name: 'settlement-days', xml: loadTextContent('../apim/policies/settlement-days.xml') }
      { name: 'settlements', xml: loadTextContent('../apim/policies/settlements.xml') }
      { name: 'settlement-file', xml: loadTextContent('../apim/policies/settlement-file.xml') }
      { name: 'action-request', xml: loadTextContent('../apim/policies/action-request.xml') }
      { name: 'action-request-response', xml: loadTextContent('../apim/policies/action-request-response.xml') }
    ]
  }
  {
    id: 'terminals'
    title: 'Terminals API'
    path: 'terminals'
    subscriptionRequired: false
    document: string(loadJsonContent('../apim/openapi/terminals.json'))
    xml: loadTextContent('../apim/apis/terminals.xml')
    operations: [
      { name: 'next-message', xml: loadTextContent('../apim/policies/next-message.xml') }
      { name: 'report', xml: loadTextContent('../apim/policies/report.xml') }
      { name: 'raise-action-request', xml: loadTextContent('../apim/policies/raise-action-request.xml') }
      { name: 'day-totals', xml: loadTextContent('../apim/policies/day-totals.xml') }
    ]
  }
  {
    id: 'probes'
    title: 'Probes'
    path: 'probes'
    subscriptionRequired: false
    document: string(loadJsonContent('../apim/openapi/probes.json'))
    xml: loadTextContent('../apim/apis/probes.xml')
    operations: [
      { name: 'health', xml: loadTextContent('../apim/policies/health.xml') }
    ]
  }
]
