// Renders the templates of a Helm chart as Helm does: Go's template engine, sprig's functions, `include` and `toYaml`.
// Standard input: {"folder": …, "chart": {…}, "values": {…}, "release": {…}}. Standard output: {"file": "text", …}.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"gopkg.in/yaml.v2"
)

type input struct {
	Folder  string
	Chart   map[string]interface{}
	Values  map[string]interface{}
	Release map[string]interface{}
}

// Helm's toYaml takes the way over JSON too.
func toYaml(value interface{}) (string, error) {
	text, err := json.Marshal(value)
	if err != nil {
		return "", err
	}
	var plain interface{}
	if err := yaml.Unmarshal(text, &plain); err != nil {
		return "", err
	}
	written, err := yaml.Marshal(plain)
	return strings.TrimSuffix(string(written), "\n"), err
}

func render(given input) (map[string]string, error) {
	root := template.New("chart").Option("missingkey=zero")
	functions := sprig.TxtFuncMap()
	functions["toYaml"] = toYaml
	functions["include"] = func(name string, data interface{}) (string, error) {
		var out bytes.Buffer
		err := root.ExecuteTemplate(&out, name, data)
		return out.String(), err
	}
	root.Funcs(functions)
	files, err := filepath.Glob(filepath.Join(given.Folder, "templates", "*"))
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		if _, err := root.New(filepath.Base(file)).Parse(string(text)); err != nil {
			return nil, err
		}
	}
	rendered := map[string]string{}
	data := map[string]interface{}{"Chart": given.Chart, "Values": given.Values, "Release": given.Release}
	for _, file := range files {
		name := filepath.Base(file)
		if strings.HasPrefix(name, "_") {
			continue
		}
		var out bytes.Buffer
		if err := root.ExecuteTemplate(&out, name, data); err != nil {
			return nil, err
		}
		rendered[name] = strings.ReplaceAll(out.String(), "<no value>", "")
	}
	return rendered, nil
}

func main() {
	var given input
	err := json.NewDecoder(os.Stdin).Decode(&given)
	if err == nil {
		var rendered map[string]string
		if rendered, err = render(given); err == nil {
			err = json.NewEncoder(os.Stdout).Encode(rendered)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
