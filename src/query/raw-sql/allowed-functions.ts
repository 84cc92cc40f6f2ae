/**
 * The functions that raw SQL may call, by family; `docs/raw-sql.md` lists them. A function that reads anything but its
 * arguments and the rows (files, addresses, other tables, dictionaries, settings, the server itself), that waits, or that
 * was written by the operator, never belongs here.
 */
export const functionFamilies: Readonly<Record<string, string>> = {
  operators: `
    plus minus multiply divide divideOrNull intDiv intDivOrZero intDivOrNull modulo moduloOrZero moduloOrNull
    positiveModulo negate abs gcd lcm equals notEquals less greater lessOrEquals greaterOrEquals isNotDistinctFrom
    isDistinctFrom and or not xor like notLike ilike notILike in notIn globalIn globalNotIn nullIn notNullIn
    globalNullIn globalNotNullIn   exists lambda tuple array map identity materialize ignore
    arrayElement arrayElementOrNull tupleElement concat grouping _CAST CAST cast accurateCast accurateCastOrNull accurateCastOrDefault
    toTypeName toColumnTypeName`,
  conditions: `
    firstNonDefault
    if multiIf caseWithExpression caseWithExpr caseWithoutExpression caseWithoutExpr coalesce ifNull nullIf isNull isNotNull isNullable
    assumeNotNull toNullable isZeroOrNull least greatest isNaN isFinite isInfinite ifNotFinite transform`,
  numbers: `
    mod modOrNull pmod pmodOrNull positiveModuloOrNull positive_modulo positive_modulo_or_null multiplyDecimal divideDecimal sqr intExp2 intExp10 isPrime countDigits
    BIT_AND BIT_OR BIT_XOR FORMAT_BYTES randUniform randNormal
    abs sign ceil ceiling floor round roundBankers roundToExp2 roundDuration roundAge roundDown trunc truncate exp exp2 exp10
    log ln log2 log10 log1p sqrt cbrt pow power sin cos tan asin acos atan atan2 hypot sinh cosh tanh asinh acosh atanh
    degrees radians pi e erf erfc lgamma tgamma factorial sigmoid max2 min2 proportionsZTest widthBucket
    width_bucket clamp byteSwap bitAnd bitOr bitXor bitNot bitShiftLeft bitShiftRight bitRotateLeft bitRotateRight bitTest
    bitTestAll bitTestAny bitCount bitHammingDistance bitSlice formatReadableSize formatReadableDecimalSize
    formatReadableQuantity formatReadableTimeDelta parseReadableSize parseReadableSizeOrNull parseReadableSizeOrZero
    parseTimeDelta rand rand32 rand64 randCanonical`,
  conversions: `
    toInt8 toInt16 toInt32 toInt64 toInt128 toInt256 toUInt8 toUInt16 toUInt32 toUInt64 toUInt128 toUInt256
    toInt8OrZero toInt16OrZero toInt32OrZero toInt64OrZero toInt128OrZero toInt256OrZero
    toInt8OrNull toInt16OrNull toInt32OrNull toInt64OrNull toInt128OrNull toInt256OrNull
    toInt8OrDefault toInt16OrDefault toInt32OrDefault toInt64OrDefault
    toUInt8OrZero toUInt16OrZero toUInt32OrZero toUInt64OrZero toUInt128OrZero toUInt256OrZero
    toUInt8OrNull toUInt16OrNull toUInt32OrNull toUInt64OrNull toUInt128OrNull toUInt256OrNull
    toUInt8OrDefault toUInt16OrDefault toUInt32OrDefault toUInt64OrDefault
    toFloat32 toFloat64 toFloat32OrZero toFloat64OrZero toFloat32OrNull toFloat64OrNull toFloat32OrDefault
    toFloat64OrDefault toDecimal32 toDecimal64 toDecimal128 toDecimal256 toDecimal32OrZero toDecimal64OrZero
    toDecimal128OrZero toDecimal32OrNull toDecimal64OrNull toDecimal128OrNull toDecimalString toBool toString
    toFixedString toStringCutToZero toLowCardinality toUUID toUUIDOrNull toUUIDOrZero toUUIDOrDefault
    toIPv4 toIPv4OrNull toIPv4OrDefault toIPv6 toIPv6OrNull toIPv6OrDefault reinterpretAsUInt8 reinterpretAsUInt16
    reinterpretAsUInt32 reinterpretAsUInt64 reinterpretAsInt8 reinterpretAsInt16 reinterpretAsInt32 reinterpretAsInt64
    reinterpretAsFloat32 reinterpretAsFloat64 reinterpretAsString reinterpret`,
  times: `
    current_date curdate localtime localtimestamp UTCTimestamp UTC_timestamp toUTCTimestamp fromUTCTimestamp to_utc_timestamp from_utc_timestamp
    toMicrosecond toNanosecond MICROSECOND MILLISECOND NANOSECOND toDaysInMonth toDaysSinceYearZero fromDaysSinceYearZero FROM_DAYS TO_DAYS toMonthNumSinceEpoch toYearNumSinceEpoch
    changeYear changeMonth changeDay changeHour changeMinute changeSecond date_bin time_bucket toTime64 toTime64OrNull toTimeOrNull nowInBlock64
    parseDateTime64OrNull parseDateTime64OrZero parseDateTime64InJodaSyntax snowflakeIDToDateTime snowflakeIDToDateTime64 generateSnowflakeID YYYYMMDDToDate32 windowID
    now now64 nowInBlock today yesterday current_timestamp timezone timeZone toDate toDate32 toDateTime toDateTime32 toDateTime64
    toDateOrNull toDateOrZero toDateOrDefault toDate32OrNull toDate32OrZero toDateTimeOrNull toDateTimeOrZero
    toDateTimeOrDefault toDateTime64OrNull toDateTime64OrZero toDateTime64OrDefault parseDateTime parseDateTimeOrNull
    parseDateTimeOrZero parseDateTimeInJodaSyntax parseDateTimeInJodaSyntaxOrNull parseDateTime64 parseDateTimeBestEffort
    parseDateTimeBestEffortOrNull parseDateTimeBestEffortOrZero parseDateTimeBestEffortUS parseDateTimeBestEffortUSOrNull
    parseDateTime32BestEffort parseDateTime32BestEffortOrNull parseDateTime64BestEffort parseDateTime64BestEffortOrNull
    parseDateTime64BestEffortOrZero makeDate makeDate32 makeDateTime makeDateTime64 timestamp toTimeZone toTimezone
    timeZoneOf timezoneOf timeZoneOffset timezoneOffset toYear toQuarter toMonth toDayOfYear toDayOfMonth toDayOfWeek
    toHour toMinute toSecond toMillisecond toUnixTimestamp toUnixTimestamp64Milli toUnixTimestamp64Micro
    toUnixTimestamp64Nano toUnixTimestamp64Second fromUnixTimestamp fromUnixTimestamp64Milli fromUnixTimestamp64Micro
    fromUnixTimestamp64Nano fromUnixTimestamp64Second fromUnixTimestampInJodaSyntax toStartOfYear toStartOfISOYear
    toStartOfQuarter toStartOfMonth toLastDayOfMonth toMonday toStartOfWeek toLastDayOfWeek toStartOfDay toStartOfHour
    toStartOfMinute toStartOfSecond toStartOfMillisecond toStartOfMicrosecond toStartOfNanosecond toStartOfFiveMinutes
    toStartOfFiveMinute toStartOfTenMinutes toStartOfFifteenMinutes toStartOfInterval toTime toTimeWithFixedDate
    toRelativeYearNum toRelativeQuarterNum toRelativeMonthNum toRelativeWeekNum toRelativeDayNum toRelativeHourNum
    toRelativeMinuteNum toRelativeSecondNum toISOYear toISOWeek toWeek week toYearWeek yearweek age dateDiff date_diff
    timeDiff timestampDiff timestamp_diff dateTrunc date_trunc     
       addDate subDate addYears addQuarters addMonths addWeeks addDays addHours
    addMinutes addSeconds addMilliseconds addMicroseconds addNanoseconds addInterval addTupleOfIntervals subtractYears
    subtractQuarters subtractMonths subtractWeeks subtractDays subtractHours subtractMinutes subtractSeconds
    subtractMilliseconds subtractMicroseconds subtractNanoseconds subtractInterval subtractTupleOfIntervals timeSlot timeSlots toYYYYMM toYYYYMMDD
    toYYYYMMDDhhmmss YYYYMMDDToDate YYYYMMDDhhmmssToDateTime formatDateTime formatDateTimeInJodaSyntax dateName monthName
    toModifiedJulianDay fromModifiedJulianDay toIntervalNanosecond toIntervalMicrosecond toIntervalMillisecond
    toIntervalSecond toIntervalMinute toIntervalHour toIntervalDay toIntervalWeek toIntervalMonth toIntervalQuarter
    toIntervalYear toInterval tumble tumbleStart tumbleEnd hop hopStart hopEnd generateUUIDv4 generateUUIDv7 UUIDv7ToDateTime
    year month day hour minute second quarter dayOfMonth dayOfWeek dayOfYear date extract str_to_date date_format last_day to_unixtime from_unixtime`,
  texts: `
    instr SUBSTRING_INDEX regexpInstr regexp_instr regexpPosition REGEXP_MATCHES REGEXP_SUBSTR naturalSortKey isASCII isValidASCII visibleWidth byteSize caseFoldUTF8 removeAccentsUTF8 removeDiacriticsUTF8
    endsWithCaseInsensitiveUTF8 startsWithCaseInsensitiveUTF8 hasAnyToken hasAllToken matchPhrase base32Encode base32Decode tryBase32Decode basename firstLine digits
    multiSearchAllPositionsCaseInsensitive multiSearchAllPositionsUTF8 multiSearchFirstPositionCaseInsensitive multiSearchFirstPositionUTF8 ngramDistanceCaseInsensitive ngramSearchCaseInsensitive concatWithSeparatorAssumeInjective normalizeQueryKeepNames
    empty notEmpty length lengthUTF8 char_length character_length octet_length  lower upper lcase ucase lowerUTF8 upperUTF8
    initcap initcapUTF8 isValidUTF8 toValidUTF8 reverse reverseUTF8 concat concatWithSeparator concat_ws
    concatAssumeInjective substring substr mid substringUTF8  substringIndex substringIndexUTF8 left leftUTF8 right rightUTF8
    leftPad leftPadUTF8 lpad rightPad rightPadUTF8 rpad space repeat startsWith startsWithUTF8 endsWith endsWithUTF8
    startsWithCaseInsensitive endsWithCaseInsensitive trim trimLeft trimRight trimBoth ltrim rtrim appendTrailingCharIfAbsent convertCharset base58Encode base58Decode
    tryBase58Decode base64Encode base64Decode base64URLEncode base64URLDecode tryBase64Decode tryBase64URLDecode to_base64 from_base64
    hex unhex bin unbin ascii char  soundex punycodeEncode punycodeDecode idnaEncode idnaDecode normalizeUTF8NFC
    normalizeUTF8NFD normalizeUTF8NFKC normalizeUTF8NFKD normalizeQuery normalizedQueryHash encodeXMLComponent decodeXMLComponent
    decodeHTMLComponent extractTextFromHTML byteHammingDistance editDistance editDistanceUTF8 levenshteinDistance damerauLevenshteinDistance jaroSimilarity
    jaroWinklerSimilarity stringJaccardIndex stringJaccardIndexUTF8 format printf
    position locate positionUTF8 positionCaseInsensitive positionCaseInsensitiveUTF8 multiSearchAllPositions
    multiSearchFirstPosition multiSearchFirstIndex multiSearchAny multiSearchAnyCaseInsensitive multiSearchAnyUTF8
    multiSearchAnyCaseInsensitiveUTF8 multiSearchFirstIndexCaseInsensitive countSubstrings
    countSubstringsCaseInsensitive countSubstringsCaseInsensitiveUTF8 hasToken hasTokenOrNull hasTokenCaseInsensitive
    hasTokenCaseInsensitiveOrNull hasAnyTokens hasAllTokens hasPhrase searchAny searchAll hasSubsequence hasSubsequenceCaseInsensitive hasSubsequenceUTF8 match 
    extractAll extractAllGroups extractAllGroupsVertical extractAllGroupsHorizontal extractGroups regexpExtract
    regexp_extract REGEXP_EXTRACT countMatches countMatchesCaseInsensitive replace replaceOne replaceAll replaceRegexpOne
    replaceRegexpAll regexp_replace REGEXP_REPLACE regexpQuoteMeta translate translateUTF8 overlay overlayUTF8 ngrams ngramDistance
    ngramSearch tokens splitByChar splitByString splitByRegexp splitByWhitespace splitByNonAlpha alphaTokens
    splitByAlpha arrayStringConcat compareSubstrings ilike like`,
  addresses: `
    toIPv4OrZero toIPv6OrZero IPv6StringToNumOrDefault INET_ATON INET_NTOA INET6_ATON INET6_NTOA cutToFirstSignificantSubdomainRFC UUIDNumToString UUIDStringToNum UUIDToNum greatCircleDistance geoDistance
    protocol domain domainRFC domainWithoutWWW domainWithoutWWWRFC topLevelDomain topLevelDomainRFC
    firstSignificantSubdomain firstSignificantSubdomainRFC cutToFirstSignificantSubdomain
    cutToFirstSignificantSubdomainWithWWW port portRFC path pathFull queryString fragment netloc queryStringAndFragment
    extractURLParameter extractURLParameters extractURLParameterNames URLHierarchy URLPathHierarchy encodeURLComponent
    decodeURLComponent encodeURLFormComponent decodeURLFormComponent cutWWW cutQueryString cutFragment
    cutQueryStringAndFragment cutURLParameter IPv4NumToString IPv4StringToNum IPv4StringToNumOrNull
    IPv4StringToNumOrDefault IPv4NumToStringClassC IPv6NumToString IPv6StringToNum IPv6StringToNumOrNull
    IPv4ToIPv6 IPv4CIDRToRange IPv6CIDRToRange isIPv4String isIPv6String isIPAddressInRange cutIPv6 MACNumToString
    MACStringToNum MACStringToOUI`,
  hashes: `
    cityHash64 sipHash64 sipHash128 xxHash32 xxHash64 xxh3 murmurHash2_32 murmurHash2_64 murmurHash3_32 murmurHash3_64
    murmurHash3_128 farmHash64 farmFingerprint64 halfMD5 intHash32 intHash64 javaHash hiveHash metroHash64 wyHash64
    URLHash MD5 SHA1 SHA224 SHA256 SHA384 SHA512 CRC32 CRC64 BLAKE3 jumpConsistentHash`,
  documents: `
    JSONAllValues JSONDynamicPathsWithTypes JSONSharedDataPathsWithTypes JSONExtractArrayRawCaseInsensitive JSONExtractKeysCaseInsensitive JSONExtractKeysAndValuesCaseInsensitive JSONExtractKeysAndValuesRawCaseInsensitive prettyPrintJSON
    JSONHas JSONLength JSONType JSONExtract JSONExtractString JSONExtractInt JSONExtractUInt JSONExtractFloat
    JSONExtractBool JSONExtractRaw JSONExtractArrayRaw JSONExtractKeys JSONExtractKeysAndValues
    JSONExtractKeysAndValuesRaw JSONExtractCaseInsensitive JSONExtractStringCaseInsensitive JSONExtractIntCaseInsensitive
    JSONExtractUIntCaseInsensitive JSONExtractFloatCaseInsensitive JSONExtractBoolCaseInsensitive JSONExtractRawCaseInsensitive JSONKey JSONArrayLength JSON_ARRAY_LENGTH JSON_EXISTS JSON_QUERY JSON_VALUE
    JSONMergePatch jsonMergePatch JSONAllPaths JSONAllPathsWithTypes JSONDynamicPaths JSONSharedDataPaths isValidJSON toJSONString simpleJSONHas simpleJSONExtractString
    simpleJSONExtractInt simpleJSONExtractUInt simpleJSONExtractFloat simpleJSONExtractBool simpleJSONExtractRaw
    visitParamHas visitParamExtractString visitParamExtractInt visitParamExtractUInt visitParamExtractFloat
    visitParamExtractBool visitParamExtractRaw dynamicType dynamicElement variantType variantElement getSubcolumn extractKeyValuePairs extractKeyValuePairsWithEscaping
    str_to_map mapFromString`,
  collections: `
    arrayDotProduct arrayTopK arrayBottomK arrayAUCPR arrayTranspose array_to_string array_remove CARDINALITY MAP_FROM_ARRAYS emptyArrayUInt8 emptyArrayUInt64 emptyArrayInt64 emptyArrayFloat64 emptyArrayDateTime tupleMultiplyByNumber tupleDivideByNumber flattenTuple bitmapAnd bitmapOr bitmapAndCardinality bitmapOrCardinality
    array arrayConcat arrayWithConstant range emptyArrayString emptyArrayToSingle arrayMap arrayFilter arrayFill
    arrayReverseFill arraySplit arrayReverseSplit arrayExists arrayAll  arrayCount arraySum arrayAvg arrayMin arrayMax
    arrayProduct arrayFirst arrayFirstOrNull arrayLast arrayLastOrNull arrayFirstIndex arrayLastIndex arrayFold
    arrayCumSum arrayCumSumNonNegative arrayDifference arrayPartialSort arraySort arrayReverseSort arrayPartialReverseSort arrayUniq arrayDistinct
    arrayEnumerate arrayEnumerateUniq arrayEnumerateDense arrayIntersect arrayUnion arrayExcept arraySymmetricDifference arrayJaccardIndex arrayReduce arrayReduceInRanges
    arrayReverse arrayFlatten flatten arrayCompact arrayZip arrayZipUnaligned arrayPushBack arrayPushFront arrayPopBack
    arrayPopFront arrayResize arraySlice arrayRotateLeft arrayRotateRight arrayShiftLeft arrayShiftRight arrayRandomSample arrayShuffle arrayPartialShuffle
    arrayJoin arrayRemove arrayNormalizedGini arrayROCAUC arrayAUC has hasAll hasAny hasSubstr indexOf indexOfAssumeSorted countEqual map mapFromArrays
    mapKeys mapValues mapContains mapContainsKey mapContainsValue mapContainsKeyLike mapContainsValueLike
    mapExtractKeyLike mapExtractValueLike mapAdd mapSubtract mapPopulateSeries mapApply mapFilter mapUpdate mapConcat
    mapExists mapAll mapSort mapReverseSort mapPartialSort mapPartialReverseSort tupleConcat tupleToNameValuePairs
    tuplePlus tupleMinus tupleMultiply tupleDivide tupleNegate tupleNames  dotProduct L1Distance L2Distance LinfDistance cosineDistance
    L1Norm L2Norm LinfNorm nested empty bitmapBuild bitmapToArray bitmapCardinality bitmapContains bitmapHasAny bitmapHasAll`,
  series: `
    runningDifference runningDifferenceStartingWithFirstValue runningAccumulate neighbor rowNumberInBlock
    rowNumberInAllBlocks blockNumber bar arrayPrAUC seriesDecomposeSTL seriesOutliersDetectTukey seriesPeriodDetectFFT 
    finalizeAggregation timeSeriesRange timeSeriesFromGrid`,
  windows: `
    row_number rank dense_rank denseRank percent_rank percentRank cume_dist ntile first_value last_value nth_value lag lead
    lagInFrame leadInFrame exponentialTimeDecayedAvg exponentialTimeDecayedSum exponentialTimeDecayedCount
    exponentialTimeDecayedMax nonNegativeDerivative`,
};

/** Aggregates; each may have combinators such as `If` and `OrNull` behind it. */
export const aggregateNames = `
  max_by min_by avg2 array_concat_agg covarPopStable covarSampStable largestTriangleThreeBuckets lttb meanZTest theilsU sequenceMatchEvents sumMapFiltered anyValueRespectNulls firstValueRespectNulls lastValueRespectNulls any_value_respect_nulls groupBitmapAnd groupBitmapOr timeSeriesIncreaseToGrid timeSeriesInstantRateToGrid timeSeriesLastToGrid timeSeriesChangesToGrid timeSeriesResetsToGrid medianBFloat16Weighted quantileBFloat16Weighted quantilesBFloat16Weighted
  count sum sumWithOverflow sumKahan sumCount sumMap minMap maxMap sumMapWithOverflow sumMappedArrays minMappedArrays
  maxMappedArrays min max avg avgWeighted any any_value anyHeavy anyLast anyRespectNulls anyLastRespectNulls any_respect_nulls anyLast_respect_nulls first_value
  last_value first_value_respect_nulls last_value_respect_nulls singleValueOrNull argMin argMax argAndMin argAndMax
  median medianExact medianExactLow medianExactHigh medianExactWeighted medianTDigest medianTDigestWeighted
  medianTiming medianTimingWeighted medianDeterministic medianBFloat16 medianInterpolatedWeighted medianGK medianDD
  quantile quantiles quantileExact quantilesExact quantileExactLow quantilesExactLow quantileExactHigh quantilesExactHigh
  quantileExactInclusive quantilesExactInclusive quantileExactExclusive quantilesExactExclusive quantileExactWeighted
  quantilesExactWeighted quantileExactWeightedInterpolated quantilesExactWeightedInterpolated quantileTDigest quantilesTDigest quantileTDigestWeighted quantilesTDigestWeighted
  quantileTiming quantilesTiming quantileTimingWeighted quantilesTimingWeighted quantileDeterministic
  quantilesDeterministic quantileBFloat16 quantilesBFloat16 quantileInterpolatedWeighted quantilesInterpolatedWeighted
  quantileGK quantilesGK quantileDD quantilesDD quantilePrometheusHistogram quantilesPrometheusHistogram   uniq uniqExact uniqCombined uniqCombined64 uniqHLL12 uniqTheta approx_top_count approx_top_k
  approx_top_sum topK topKWeighted groupArray groupArrayLast groupArraySample groupArraySorted groupArrayMovingSum
  groupArrayMovingAvg groupArrayInsertAt groupArrayIntersect  groupUniqArray  groupConcat group_concat array_agg string_agg groupBitAnd groupBitOr groupBitXor
  groupBitmap varPop varSamp var_pop var_samp varPopStable varSampStable  stddevPop stddevSamp stddev_pop stddev_samp stddevPopStable stddevSampStable std stddev
  covarPop covarSamp covar_pop covar_samp corr corrStable skewPop skewSamp kurtPop kurtSamp entropy cramersV simpleLinearRegression rankCorr
  studentTTest welchTTest mannWhitneyUTest kolmogorovSmirnovTest histogram deltaSum deltaSumTimestamp boundingRatio
   intervalLengthSum maxIntersections maxIntersectionsPosition sequenceMatch sequenceCount sequenceNextNode
  windowFunnel retention uniqUpTo sparkbar   exponentialMovingAverage timeSeriesRateToGrid timeSeriesDeltaToGrid timeSeriesResampleToGridWithStaleness
  distinctDynamicTypes distinctJSONPaths`;

/** Sources of rows that are no tables. */
export const tableFunctionNames: ReadonlySet<string> = new Set(
  'numbers numbers_mt zeros zeros_mt generate_series generateSeries values primes'.toLowerCase().split(' '),
);

const combinators =
  'If Array Map State Merge MergeState SimpleState ForEach Distinct OrNull OrDefault Resample ArgMin ArgMax Null Tuple'.split(
    ' ',
  );

const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
const scalars = new Set(Object.values(functionFamilies).flatMap(wordsOf));
const aggregates = new Set(wordsOf(aggregateNames));

/** In any case, since the engine reads some names in any case. */
export function isAllowedFunction(name: string): boolean {
  const lower = name.toLowerCase();
  return scalars.has(lower) || isAllowedAggregate(lower);
}

function isAllowedAggregate(lower: string): boolean {
  if (aggregates.has(lower)) return true;
  return combinators.some((combinator) => {
    const end = combinator.toLowerCase();
    return lower.endsWith(end) && lower.length > end.length && isAllowedAggregate(lower.slice(0, -end.length));
  });
}
