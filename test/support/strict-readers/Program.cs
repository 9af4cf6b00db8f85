using System.Globalization;
using System.Net.Http.Headers;
using System.Text;
using System.Text.Json;
using System.Text.RegularExpressions;

// Reads responses and webhooks as a strict program does. Standard input is [{ headers, body }], with the bodies in base64. Writes [null if it
// can be read, else the complaint].

var json = new JsonSerializerOptions(JsonSerializerDefaults.Web);
using var input = Console.OpenStandardInput();
using var output = Console.OpenStandardOutput();
JsonSerializer.Serialize(output, JsonSerializer.Deserialize<Received[]>(input, json).Select(Complaint).ToArray(), json);

static string Complaint(Received received)
{
    try
    {
        Read(received);
        return null;
    }
    catch (Exception error)
    {
        return $"{error.GetType().Name}: {error.Message}";
    }
}

static void Read(Received received)
{
    foreach (var (name, value) in received.Headers)
        if (value.Any(character => character is < ' ' or > '~')) throw new FormatException($"the header {name} is not printable ASCII");
    var type = MediaTypeHeaderValue.Parse(received.Headers["content-type"]);
    if ((type.CharSet ?? "utf-8") is not "utf-8") throw new FormatException($"the charset is {type.CharSet}");
    var text = new UTF8Encoding(false, throwOnInvalidBytes: true).GetString(received.Body);
    if (type.MediaType == "text/csv")
    {
        ReadCsv(text);
        return;
    }
    using var document = JsonDocument.Parse(received.Body);
    ReadValue(document.RootElement, "");
}

/// <summary>A file by RFC 4180, whose last line ends like the others.</summary>
static void ReadCsv(string text)
{
    var field = new Regex("""\G(?:"(?<field>(?>[^"]|"")*)"|(?<field>[^",\r\n]*))(?<end>,|\r\n)""");
    var (at, line, column, columns) = (0, 1, 0, 0);
    while (at < text.Length)
    {
        var match = field.Match(text, at);
        if (!match.Success) throw new FormatException($"line {line} breaks at column {column + 1}");
        ReadText(match.Groups["field"].Value, $"line {line}");
        at += match.Length;
        column++;
        if (match.Groups["end"].Value == ",") continue;
        if (line == 1) columns = column;
        if (column != columns) throw new FormatException($"line {line} has {column} columns");
        (line, column) = (line + 1, 0);
    }
    if (column != 0) throw new FormatException($"line {line} has no end");
}

static void ReadValue(JsonElement value, string path)
{
    switch (value.ValueKind)
    {
        case JsonValueKind.Object:
            ReadMembers(value, path);
            break;
        case JsonValueKind.Array:
            var at = 0;
            foreach (var item in value.EnumerateArray()) ReadValue(item, $"{path}[{at++}]");
            break;
        case JsonValueKind.String:
            ReadText(Text(value.GetString, path), path);
            break;
        case JsonValueKind.Number:
            ReadNumber(value, path);
            break;
    }
}

static void ReadMembers(JsonElement value, string path)
{
    var names = new HashSet<string>();
    foreach (var member in value.EnumerateObject())
    {
        var name = Text(() => member.Name, path);
        ReadText(name, path);
        if (!names.Add(name)) throw new FormatException($"{path}: the name {name} is repeated");
        ReadValue(member.Value, $"{path}.{name}");
    }
}

/// <summary>Adds the place to the complaint about a lone surrogate.</summary>
static string Text(Func<string> read, string path)
{
    try
    {
        return read();
    }
    catch (InvalidOperationException error)
    {
        throw new InvalidOperationException($"{path}: {error.Message}", error);
    }
}

static void ReadText(string text, string path)
{
    if (text.Contains('\0')) throw new FormatException($"{path}: NUL");
}

/// <summary>A decimal rounds silently, for instance a small number to 0, so the text of the decimal is read again.</summary>
static void ReadNumber(JsonElement value, string path)
{
    var invariant = CultureInfo.InvariantCulture;
    var isHeld = value.TryGetDecimal(out var held) && double.Parse(held.ToString(invariant), invariant) == value.GetDouble();
    if (!isHeld) throw new FormatException($"{path}: the number {value.GetRawText()} cannot be held");
}

record Received(Dictionary<string, string> Headers, byte[] Body);
