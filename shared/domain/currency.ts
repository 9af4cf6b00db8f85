// ISO 4217's own table of active currencies. `Intl` cannot be used here, because ICU's digits differ for some (ISK, UGX, IQD …).
const withoutDecimals = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF";
const withThreeDecimals = "BHD IQD JOD KWD LYD OMR TND";
const withFourDecimals = "CLF UYW";
const withTwoDecimals =
  "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CNY COP COU CRC " +
  "CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS " +
  "KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD " +
  "PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY " +
  "TTD TWD TZS UAH USD USN UYU UZS VED VES WST XAD XCD XCG YER ZAR ZMW ZWG";

/** The currencies that do not have two decimals, by their decimals. */
export const unusualCurrencies: ReadonlyMap<number, readonly string[]> = new Map([
  [0, withoutDecimals.split(" ")],
  [3, withThreeDecimals.split(" ")],
  [4, withFourDecimals.split(" ")],
]);

const exponents = new Map<string, number>(
  [withoutDecimals, undefined, withTwoDecimals, withThreeDecimals, withFourDecimals].flatMap((codes, exponent) =>
    (codes ?? "").split(" ").flatMap((code): [string, number][] => (code ? [[code, exponent]] : [])),
  ),
);

/** The decimals of the currency's major unit. Undefined for a code that ISO 4217 does not list as active. */
export const currencyExponent = (currency: string): number | undefined => exponents.get(currency);
